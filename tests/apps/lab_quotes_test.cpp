// The numbers that are quoted from the papers: each once, with its place, and consistent with each other.
#include "lab/quotes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace tendril::test {
namespace {

using app::find_quote;
using app::kQuotes;
using app::quoted;

double number(const std::string& key)
{
    const app::Quote* quote = find_quote(key);
    EXPECT_NE(quote, nullptr) << key;
    return quote ? quote->value : std::nan("");
}

TEST(LabQuotes, AnUnknownKeyIsNotFound)
{
    EXPECT_EQ(find_quote("mueller12/table1/monster/al"), nullptr);
    EXPECT_EQ(find_quote(""), nullptr);
    static_assert(quoted("mueller12/table1/monster/all") == 435.3);  // with another key, this does not compile
}

TEST(LabQuotes, EachHasAPlaceAndAMeaningAndStandsOnce)
{
    const std::set<std::string_view> papers{"mueller12", "rungjiratananon11", "sanchez15", "zappe20", "boercsoek20"};
    std::set<std::string_view> keys;
    for (const app::Quote& quote : kQuotes) {
        EXPECT_TRUE(keys.insert(quote.key).second) << quote.key;
        EXPECT_TRUE(papers.count(quote.paper())) << quote.key;
        EXPECT_FALSE(quote.place.empty() || quote.words.empty()) << quote.key;
        EXPECT_TRUE(std::isfinite(quote.value)) << quote.key;
    }
}

// The papers print sums and ratios beside their parts. They differ by rounding only.
TEST(LabQuotes, SumsAndRatiosOfTheTablesAgree)
{
    for (const std::string scene : {"monster", "afghan", "girl"}) {
        const std::string row = "mueller12/table1/" + scene + "/";
        EXPECT_NEAR(number(row + "solve") + number(row + "density") + number(row + "dist") + number(row + "rendering"),
                    number(row + "all"), 1e-9);
    }
    for (const std::string segments : {"100", "150", "200", "746"}) {
        const std::string row = "rungjiratananon11/table1/" + segments + "/";
        double sum = 0;
        for (const char* stage : {"integration", "csm", "twist", "tension", "collision"}) sum += number(row + stage);
        EXPECT_NEAR(sum, number(row + "total"), 0.005);
    }
    for (int i = 1; i <= 5; ++i) {
        const std::string row = "sanchez15/table2/" + std::to_string(i) + "/";
        EXPECT_NEAR(number(row + "plp") / number(row + "slp"), number(row + "speed_up"), 0.01);
    }
}

}  // namespace
}  // namespace tendril::test
