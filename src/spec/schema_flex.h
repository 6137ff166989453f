#pragma once

// Rows that a flex shares with the macro that makes one.

#include "spec/schema_parts.h"

namespace sinew::mjcf {

extern const Keywords kFlexDof;

void add_flex_edge(Table<spec::Flex::Edge>& t);
Element& flex_contact(Schema& schema, Handler read);
Element& flex_elasticity(Schema& schema, Handler read);

}  // namespace sinew::mjcf
