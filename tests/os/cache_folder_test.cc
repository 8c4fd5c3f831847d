#include "weir/os/cache_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

namespace weir::os {
namespace {

using std::filesystem::perms;

constexpr unsigned kSomebody = 12345;  // another user

class CacheFolderTest : public testing::Test {
 protected:
  CacheFolderTest()
      : path_(std::filesystem::path(testing::TempDir()) /
              (testing::UnitTest::GetInstance()->current_test_info()->name() +
               std::to_string(::getpid()))),
        folder_(path_ / "weir") {
    std::filesystem::remove_all(path_);
  }
  ~CacheFolderTest() override { std::filesystem::remove_all(path_); }

  std::size_t files() const {
    const std::filesystem::directory_iterator begin(folder_.path());
    return static_cast<std::size_t>(std::distance(begin, {}));
  }

  std::filesystem::path path_;
  CacheFolder folder_;
};

TEST_F(CacheFolderTest, GivesBackWhatWasWritten) {
  ASSERT_TRUE(folder_.write("a.tables", std::string("x\0y", 3)));
  EXPECT_EQ(*folder_.read("a.tables", 100), std::string("x\0y", 3));
  ASSERT_TRUE(folder_.write("a.tables", "new"));
  EXPECT_EQ(*folder_.read("a.tables", 100), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(CacheFolderTest, IsForThisUserOnly) {
  ASSERT_TRUE(folder_.write("a.tables", "x"));
  const auto of = [](const std::filesystem::path& path) {
    return std::filesystem::status(path).permissions() & perms::all;
  };
  EXPECT_EQ(of(folder_.path()), perms::owner_all);
  EXPECT_EQ(of(folder_.path() / "a.tables"), perms::owner_read | perms::owner_write);
}

TEST_F(CacheFolderTest, MissingOrTooLargeIsAnError) {
  EXPECT_FALSE(folder_.read("a.tables", 100));
  ASSERT_TRUE(folder_.write("a.tables", "12345"));
  EXPECT_FALSE(folder_.read("a.tables", 4));
  EXPECT_FALSE(folder_.read("b.tables", 100));
}

TEST_F(CacheFolderTest, AFileThatOthersMayWriteIsNotRead) {
  ASSERT_TRUE(folder_.write("a.tables", "x"));
  std::filesystem::permissions(folder_.path() / "a.tables", perms::group_write,
                               std::filesystem::perm_options::add);
  EXPECT_FALSE(folder_.read("a.tables", 100));
  ASSERT_TRUE(folder_.write("a.tables", "y"));  // takes its place
  EXPECT_EQ(*folder_.read("a.tables", 100), "y");
}

TEST_F(CacheFolderTest, ALinkIsNotFollowed) {
  ASSERT_TRUE(folder_.write("a.tables", "x"));
  std::filesystem::rename(folder_.path() / "a.tables", path_ / "elsewhere");
  std::filesystem::create_symlink(path_ / "elsewhere", folder_.path() / "a.tables");
  EXPECT_FALSE(folder_.read("a.tables", 100));
  ASSERT_TRUE(folder_.write("a.tables", "y"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder_.path() / "a.tables"));
  std::ifstream elsewhere(path_ / "elsewhere");
  EXPECT_EQ(elsewhere.get(), 'x');
}

TEST_F(CacheFolderTest, AFolderThatOthersMayWriteIsNotUsed) {
  ASSERT_TRUE(folder_.write("a.tables", "x"));
  std::filesystem::permissions(folder_.path(), perms::others_write,
                               std::filesystem::perm_options::add);
  EXPECT_FALSE(folder_.read("a.tables", 100));
  EXPECT_FALSE(folder_.write("a.tables", "y"));
}

TEST_F(CacheFolderTest, AFolderThatIsALinkIsNotUsed) {
  ASSERT_TRUE(folder_.write("a.tables", "x"));
  std::filesystem::create_directory_symlink(folder_.path(), path_ / "link");
  if (::geteuid() == 0) {  // root's own links are followed
    EXPECT_TRUE(CacheFolder(path_ / "link").read("a.tables", 100));
    ASSERT_EQ(::lchown((path_ / "link").c_str(), kSomebody, kSomebody), 0);
  }
  EXPECT_FALSE(CacheFolder(path_ / "link").read("a.tables", 100));
  EXPECT_FALSE(CacheFolder(path_ / "link").write("a.tables", "y"));
}

TEST_F(CacheFolderTest, AnotherUsersFileOrFolderIsNotUsed) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only root can give files away";
  }
  ASSERT_TRUE(folder_.write("a.tables", "x"));
  const auto file = folder_.path() / "a.tables";
  ASSERT_EQ(::chown(file.c_str(), kSomebody, kSomebody), 0);
  EXPECT_FALSE(folder_.read("a.tables", 100));
  ASSERT_EQ(::chown(file.c_str(), 0, 0), 0);
  EXPECT_TRUE(folder_.read("a.tables", 100));
  ASSERT_EQ(::chown(folder_.path().c_str(), kSomebody, kSomebody), 0);
  EXPECT_FALSE(folder_.read("a.tables", 100));
  EXPECT_FALSE(folder_.write("a.tables", "y"));
}

TEST_F(CacheFolderTest, AFileInTheWayIsAnError) {
  std::filesystem::create_directories(path_);
  std::ofstream(path_ / "weir") << "x";
  EXPECT_FALSE(folder_.write("a.tables", "x"));
  EXPECT_FALSE(CacheFolder("/proc/weir/cache").write("a.tables", "x"));
}

TEST_F(CacheFolderTest, TheOldestFilesGo) {
  const auto now = std::filesystem::file_time_type::clock::now();
  for (std::size_t i = 0; i < CacheFolder::kFilesMax + 3; ++i) {
    const std::string name = std::to_string(i) + ".tables";
    ASSERT_TRUE(folder_.write(name, "x"));
    std::filesystem::last_write_time(folder_.path() / name,
                                     now - std::chrono::hours(100 - static_cast<int>(i)));
  }
  std::ofstream(folder_.path() / "note.txt") << "somebody's";
  ASSERT_TRUE(folder_.write("last.tables", "x"));
  EXPECT_EQ(files(), CacheFolder::kFilesMax + 1);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "note.txt"));
  EXPECT_TRUE(folder_.read("10.tables", 100));
  EXPECT_FALSE(folder_.read("3.tables", 100));
}

TEST_F(CacheFolderTest, WhatADeadProcessLeftGoes) {
  ASSERT_TRUE(folder_.write("a.tables", "x"));
  std::ofstream(folder_.path() / "a.tables.1.part") << "x";
  std::filesystem::last_write_time(
      folder_.path() / "a.tables.1.part",
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  ASSERT_TRUE(folder_.write("b.tables", "x"));
  EXPECT_EQ(files(), 2U);
}

}  // namespace
}  // namespace weir::os
