//! What screen readers and other assistive programs learn about the sliders of Smirk, and what they ask of them. egui
//! does the same for its own widgets.

use std::ops::RangeInclusive;

use egui::accesskit::{Action, ActionData};
use egui::{Response, WidgetInfo};

#[derive(Clone, Debug)]
pub(crate) struct AssistiveSlider<'a> {
    pub label: &'a str,
    pub value: f64,
    pub range: RangeInclusive<f64>,
    pub step: f64,
    pub is_enabled: bool,
}

impl AssistiveSlider<'_> {
    pub(crate) fn describe(&self, response: &Response) {
        response.widget_info(|| WidgetInfo::slider(self.is_enabled, self.value, self.label));
        response.ctx.accesskit_node_builder(response.id, |node| {
            node.set_min_numeric_value(*self.range.start());
            node.set_max_numeric_value(*self.range.end());
            node.set_numeric_value_step(self.step);
            if self.is_enabled {
                for action in [Action::SetValue, Action::Increment, Action::Decrement] {
                    node.add_action(action);
                }
            }
        });
    }

    /// The value that an assistive program asks the slider for.
    pub(crate) fn requested(&self, response: &Response) -> Option<f64> {
        let id = response.id;
        response.ctx.input(|input| {
            let requests = input.accesskit_action_requests(id, Action::SetValue);
            let values = requests.filter_map(|request| match request.data {
                Some(ActionData::NumericValue(value)) => Some(value),
                _ => None,
            });
            let value = values.last();
            let [up, down] = [Action::Increment, Action::Decrement]
                .map(|action| input.num_accesskit_action_requests(id, action) as f64);
            let steps = up - down;
            let value = value.or((steps != 0.0).then_some(self.value + steps * self.step))?;
            (self.is_enabled && value.is_finite()).then_some(value)
        })
    }
}
