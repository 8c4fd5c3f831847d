#include "weir/log/logger.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

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

TEST_F(LoggerTest, LevelHoldsBackWhatIsBelow) {
  const auto logger = open(false, "warn");
  logger->info("quiet");
  EXPECT_FALSE(logger->shows(Level::kInfo));
  EXPECT_EQ(text(), "");
}

}  // namespace
}  // namespace weir::log
