// Fuzzes the decoders of meshoptimizer with what `src/files/import/gltf/read/meshopt.rs` lets through. The first four bytes choose the kind, the
// filter, the stride and the count, as in the fuzz target `meshopt`. The memory is of the exact size, so that clang's sanitizers see every
// access beyond it.
#include "meshoptimizer.h"

#include <stdint.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 4) {
        return 0;
    }
    unsigned kind = bytes[0] % 3, filter = bytes[1] % 5;
    size_t stride = bytes[2], count = bytes[3] < 200 ? bytes[3] : 97 * bytes[3];
    std::vector<unsigned char> packed(bytes + 4, bytes + size);
    if (kind > 0) {
        if ((stride != 2 && stride != 4) || (kind == 1 && count % 3 != 0)) {
            return 0;
        }
        std::vector<unsigned char> indices(count * stride);
        if (kind == 1) {
            meshopt_decodeIndexBuffer(indices.data(), count, stride, packed.data(), packed.size());
        } else {
            meshopt_decodeIndexSequence(indices.data(), count, stride, packed.data(), packed.size());
        }
        return 0;
    }
    bool is_short = stride == 4 || stride == 8;
    if (stride % 4 != 0 || stride == 0 || ((filter == 1 || filter == 4) && !is_short) || (filter == 2 && stride != 8)) {
        return 0;
    }
    std::vector<unsigned char> elements(count * stride);
    if (meshopt_decodeVertexBuffer(elements.data(), count, stride, packed.data(), packed.size()) != 0) {
        return 0;
    }
    switch (filter) {
    case 1: meshopt_decodeFilterOct(elements.data(), count, stride); break;
    case 2: meshopt_decodeFilterQuat(elements.data(), count, stride); break;
    case 3: meshopt_decodeFilterExp(elements.data(), count * (stride / 4), 4); break;
    case 4: meshopt_decodeFilterColor(elements.data(), count, stride); break;
    }
    return 0;
}
