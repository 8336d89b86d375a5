/// Access to the numbers that are quoted from the papers. Claims, bars and benchmarks take them from here.
#pragma once

#include "quotes_table.h"

namespace tendril::app {

/// Null if there is no such quote.
constexpr const Quote* find_quote(std::string_view key)
{
    for (const Quote& quote : kQuotes)
        if (quote.key == key) return &quote;
    return nullptr;
}

/// The quoted number. A key that is not in the table does not compile.
consteval double quoted(std::string_view key)
{
    return find_quote(key)->value;
}

}  // namespace tendril::app
