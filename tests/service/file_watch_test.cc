#include "weir/service/file_watch.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

namespace weir::service {
namespace {

// Files that exist as numbers only.
class FileWatchTest : public testing::Test {
 protected:
  std::map<std::string, std::uint64_t> files_{{"config", 1}, {"cert", 1}};
  FileWatch watch_{[this](const std::filesystem::path& path) -> std::optional<std::uint64_t> {
    const auto found = files_.find(path.string());
    return found == files_.end() ? std::nullopt : std::optional(found->second);
  }};
  void SetUp() override { watch_.watch({"config", "cert"}); }
};

TEST_F(FileWatchTest, SaysNothingWhileNothingChanges) {
  EXPECT_FALSE(watch_.has_changed());
  EXPECT_FALSE(watch_.has_changed());
}

TEST_F(FileWatchTest, TellsAChangeOnceAndOnlyWhenTheFileStaysAsItIs) {
  files_["config"] = 2;  // half of it
  EXPECT_FALSE(watch_.has_changed());
  files_["config"] = 3;
  EXPECT_FALSE(watch_.has_changed());
  EXPECT_TRUE(watch_.has_changed());
  EXPECT_FALSE(watch_.has_changed());
}

TEST_F(FileWatchTest, AFileThatIsPutInThePlaceOfAnotherIsNoChangeWhileItIsAway) {
  files_.erase("config");
  EXPECT_FALSE(watch_.has_changed());
  files_["config"] = 2;
  EXPECT_FALSE(watch_.has_changed());
  EXPECT_TRUE(watch_.has_changed());
}

TEST_F(FileWatchTest, AFileThatStaysAwayIsAChange) {
  files_.erase("cert");
  EXPECT_FALSE(watch_.has_changed());
  EXPECT_TRUE(watch_.has_changed());
  EXPECT_FALSE(watch_.has_changed());
}

TEST_F(FileWatchTest, AChangeThatIsTakenBackIsNone) {
  files_["config"] = 2;
  EXPECT_FALSE(watch_.has_changed());
  files_["config"] = 1;
  EXPECT_FALSE(watch_.has_changed());
  EXPECT_FALSE(watch_.has_changed());
}

TEST_F(FileWatchTest, WhatWasAcceptedIsNoChange) {
  files_["config"] = 2;
  watch_.accept();
  EXPECT_FALSE(watch_.has_changed());
  EXPECT_FALSE(watch_.has_changed());
}

TEST_F(FileWatchTest, AChangeBetweenAcceptAndWatchIsOne) {
  watch_.accept();
  files_["config"] = 2;
  watch_.watch({"config"});
  EXPECT_FALSE(watch_.has_changed());
  EXPECT_TRUE(watch_.has_changed());
}

TEST_F(FileWatchTest, WhatIsNotWatchedAnyMoreIsNoChange) {
  watch_.watch({"config"});
  files_["cert"] = 2;
  EXPECT_FALSE(watch_.has_changed());
  EXPECT_FALSE(watch_.has_changed());
}

TEST(Fingerprint, GoesByTheContents) {
  const auto file = std::filesystem::path(testing::TempDir()) / "weir fingerprint.txt";
  std::ofstream(file) << "a";
  const auto first = fingerprint(file);
  ASSERT_TRUE(first);
  std::ofstream(file) << "b";
  EXPECT_NE(fingerprint(file), first);
  std::ofstream(file) << "a";
  EXPECT_EQ(fingerprint(file), first);
  std::filesystem::remove(file);
  EXPECT_FALSE(fingerprint(file));
}

}  // namespace
}  // namespace weir::service
