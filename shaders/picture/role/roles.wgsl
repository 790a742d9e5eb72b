// What a surface shows; the numbers of `Role` in `src/face/head/role.rs`. An override and no uniform, because a software adapter
// would run the code of every role.
override ROLE: u32 = 0u;

const ROLE_OTHER: u32 = 0u;
const ROLE_SKIN: u32 = 1u;
const ROLE_EYE: u32 = 2u;
const ROLE_CORNEA: u32 = 3u;
const ROLE_HAIR: u32 = 4u;
const ROLE_LASH: u32 = 5u;
const ROLE_TEETH: u32 = 6u;
const ROLE_TONGUE: u32 = 7u;
const ROLE_CLOTH: u32 = 8u;
