#include "weir/log/logger.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

namespace weir::log {
namespace {

class LoggerTest : public testing::Test {
 protected:
  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) /
                                testing::UnitTest::GetInstance()->current_test_info()->name();

  std::unique_ptr<Logger> open(bool json, const std::string& level = "info") {
    std::filesystem::remove(file_);
    auto logger = Logger::open({.level = level, .file = file_, .json = json});
    EXPECT_TRUE(logger);
    return std::move(*logger);
  }

  std::string text() const {
    std::ostringstream out;
    out << std::ifstream(file_).rdbuf();
    return out.str();
  }
};

TEST_F(LoggerTest, WritesFieldsAsKeyValue) {
  open(false)->info("request", {{"id", "r-1"}, {"cause", "two words"}, {"empty", ""}});
  EXPECT_NE(text().find("info request id=r-1 cause=\"two words\" empty=\"\"\n"), std::string::npos)
      << text();
}

TEST_F(LoggerTest, KeepsAnEventOnOneLine) {
  open(false)->info("request", {{"model", "a\nfake line\x1B[2J"}});
  EXPECT_NE(text().find(R"(model="a\nfake line\u001b[2J")"), std::string::npos) << text();
}

TEST_F(LoggerTest, WritesJson) {
  open(true)->warn("odd", {{"id", "a\"b"}});
  EXPECT_NE(text().find(R"("level":"warning","message":"odd","id":"a\"b"})"), std::string::npos)
      << text();
}

TEST_F(LoggerTest, HidesKeysWhereverTheyTurnUp) {
  const auto logger = open(false);
  logger->hide(base::Secret("cloud-key-canary-2"));
  logger->error("cloud-key-canary-2", {{"cause", "key cloud-key-canary-2 refused"}});
  EXPECT_EQ(text().find("canary"), std::string::npos) << text();
}

TEST_F(LoggerTest, HidesAKeyThatALineWouldWriteOtherwise) {
  for (const bool json : {false, true}) {
    const auto logger = open(json);
    logger->hide(base::Secret("a\"quoted\\ canary\n"));
    logger->error("it said", {{"cause", "no a\"quoted\\ canary\n here"}});
    EXPECT_EQ(text().find("canary"), std::string::npos) << text();
    EXPECT_NE(text().find("no *** here"), std::string::npos) << text();
  }
}

TEST_F(LoggerTest, AHiddenKeyMayBeAPartOfItsMark) {
  const auto logger = open(false);
  logger->hide(base::Secret("******"));
  logger->error("it said ******", {{"cause", "***"}});
  EXPECT_NE(text().find("it said *** cause=***"), std::string::npos) << text();
}

TEST_F(LoggerTest, RotatesBySizeAndKeepsSoMany) {
  std::filesystem::remove_all(file_);
  std::filesystem::create_directory(file_);  // a folder of its own
  const auto file = file_ / "weir.log";
  {
    const auto logger =
        std::move(*Logger::open({.level = "info", .file = file, .rotate_mb = 1, .keep = 2}));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1500; ++i) {
          logger->info("request", {{"cause", std::string(1000, 'x')}});  // 6 MB in all
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(file_)) {
    names.insert(entry.path().filename().string());
    EXPECT_LE(entry.file_size(), 1U << 20);
    std::ifstream lines(entry.path());
    for (std::string line; std::getline(lines, line);) {
      ASSERT_TRUE(line.ends_with("x")) << line.size();  // every line is whole
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"weir.log", "weir.1.log", "weir.2.log"}));
  std::filesystem::remove_all(file_);
}

// What logrotate does with copytruncate.
TEST_F(LoggerTest, GoesOnAfterTheFileWasEmptiedByOthers) {
  const auto logger = open(false);
  logger->info("before");
  std::filesystem::resize_file(file_, 0);
  logger->info("after");
  EXPECT_EQ(text().find("before"), std::string::npos);
  EXPECT_EQ(text().find('\0'), std::string::npos);
  EXPECT_TRUE(text().ends_with("info after\n")) << text();
}

TEST_F(LoggerTest, LevelHoldsBackWhatIsBelow) {
  const auto logger = open(false, "warn");
  logger->info("quiet");
  EXPECT_FALSE(logger->shows(Level::kInfo));
  EXPECT_EQ(text(), "");
}

}  // namespace
}  // namespace weir::log
