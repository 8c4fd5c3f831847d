#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

constexpr std::string_view kCloud = "[provider.p]\nbase_url = \"https://h\"\napi_key = \"k\"\n";
constexpr std::string_view kOther = "[provider.q]\nbase_url = \"https://h\"\napi_key = \"k\"\n";
constexpr std::string_view kSecondLocal = "[local.b]\nbase_url = \"http://h\"\n";

// "short -> long", or the faults.
std::string routes(const std::string& text) {
  const auto loaded = parse(text);
  return loaded ? loaded->config.routing.short_route + " -> " + loaded->config.routing.long_route
                : loaded.error().message;
}

std::string text_of(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    text += part;
  }
  return text;
}

TEST(Routes, AllFormsOfANameWork) {
  for (const std::string_view name : {"a", "local.a", "local"}) {
    EXPECT_EQ(
        routes(text_of({kLeast, kCloud, "[routing]\nlong_route = \"provider.p\"\nshort_route = \"",
                        name, "\"\n"})),
        "local.a -> provider.p");
  }
}

TEST(Routes, DefaultIsTheOnlyOneOfItsKind) {
  EXPECT_EQ(routes(text_of({kLeast, kCloud})), "local.a -> provider.p");
  EXPECT_EQ(routes(text_of({kLeast})), "local.a -> local.a");
  EXPECT_EQ(routes(text_of({kCloud})), "provider.p -> provider.p");
}

TEST(Routes, AChoiceMustBeMade) {
  const auto lines = faults(text_of({kLeast, kSecondLocal, kCloud, kOther, "[routing]\n"}));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(contains(lines[0], ":11:1: routing.long_route: is missing")) << lines[0];
  EXPECT_TRUE(contains(lines[1], "routing.short_route: is missing")) << lines[1];
}

TEST(Routes, LocalIsAmbiguousWithTwo) {
  EXPECT_TRUE(contains(
      fault(text_of({kLeast, kSecondLocal, kCloud, "[routing]\nshort_route = \"local\"\n"})),
      "9:15: routing.short_route: there is more than one local"));
  EXPECT_TRUE(contains(fault(text_of({kCloud, "[routing]\nshort_route = \"local\"\n"})),
                       "there is no [local.NAME] table"));
}

TEST(Routes, ANameOfBothKindsIsAmbiguous) {
  const std::string both =
      text_of({kLeast, "[provider.a]\nbase_url = \"https://h\"\napi_key = \"k\"\n"});
  EXPECT_TRUE(contains(fault(both + "[routing]\nlong_route = \"a\"\n"), "more than one upstream"));
  EXPECT_EQ(routes(both + "[routing]\nlong_route = \"provider.a\"\n"), "local.a -> provider.a");
}

TEST(Routes, AnUnknownNameGetsTheNearest) {
  EXPECT_TRUE(
      contains(fault("[provider.taotoken]\nbase_url = \"https://h\"\napi_key = \"k\"\n[routing]\n"
                     "long_route = \"taotokn\"\n"),
               "5:14: routing.long_route: no upstream is called \"taotokn\"; write \"taotoken\""));
  EXPECT_TRUE(
      contains(fault(text_of({kLeast, "[routing]\nlong_route = \"\"\n"})), "name is empty"));
}

TEST(Routing, FallbackIsAListOfCauses) {
  const auto loaded = parse(with_least("[routing]\nfallback = [\"busy\", \"down\", \"busy\"]\n"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.routing.fallback,
            (std::vector{FallbackCause::kBusy, FallbackCause::kDown}));
  const auto none = parse(with_least("[routing]\nfallback = []\n"));
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->config.routing.fallback.empty());
}

TEST(Routing, FallbackFaultsSayWhatIsRight) {
  EXPECT_TRUE(contains(fault(with_least("[routing]\nfallback = [\"laoding\"]\n")),
                       "4:13: routing.fallback: \"laoding\" is not known; write \"loading\""));
  EXPECT_TRUE(contains(fault(with_least("[routing]\nfallback = \"down\"\n")), "where a list"));
  EXPECT_TRUE(contains(fault(with_least("[routing]\nfallback = false\n")), "fallback = []"));
}

TEST(Routing, CloudModelMayBeAnId) {
  const auto loaded = parse(text_of({kLeast, kCloud, "[routing]\ncloud_model = \"gpt-4o\"\n"}));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.routing.cloud_model, "gpt-4o");
  EXPECT_TRUE(loaded->warnings.empty());
}

TEST(Routing, AMissingLongContextAliasIsWorthAWarning) {
  const auto loaded = parse(text_of({kLeast, kCloud}));
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->warnings.size(), 1U);
  EXPECT_TRUE(contains(loaded->warnings[0], "routing.cloud_model: is not set"));
}

}  // namespace
}  // namespace weir::config
