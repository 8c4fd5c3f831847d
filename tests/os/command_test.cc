#include "weir/os/command.h"

#include <gtest/gtest.h>

namespace weir::os {
namespace {

constexpr std::chrono::seconds kPatience{60};

TEST(RunCommand, GivesExitCodeAndBothOutputs) {
  const auto result = run_command({"sh", "-c", "echo out; echo err >&2; exit 3"}, kPatience);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->output, "out\nerr\n");
}

TEST(RunCommand, NoShellLooksAtTheWords) {
  const auto result = run_command({"echo", "$HOME; exit 1", "*"}, kPatience);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->output, "$HOME; exit 1 *\n");
}

TEST(RunCommand, ItsInputIsEmpty) {
  const auto result = run_command({"cat"}, kPatience);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->exit_code, 0);
  EXPECT_EQ(result->output, "");
}

TEST(RunCommand, ASignalIsTold) {
  const auto result = run_command({"sh", "-c", "kill -TERM $$"}, kPatience);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->exit_code, 128 + 15);
}

TEST(RunCommand, MuchOutputIsCutAndDoesNotBlock) {
  const auto result = run_command({"sh", "-c", "head -c 1000000 /dev/zero"}, kPatience);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->exit_code, 0);
  EXPECT_EQ(result->output.size(), 65536U);
}

TEST(RunCommand, AMissingProgramIsNamed) {
  const auto result = run_command({"no-such-program-weir"}, kPatience);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, base::ErrorCode::kCannotRun);
  EXPECT_NE(result.error().message.find("no-such-program-weir"), std::string::npos);
}

TEST(RunCommand, OneThatDoesNotEndIsEnded) {
  const auto result = run_command({"sleep", "3600"}, std::chrono::seconds(0));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("has not ended"), std::string::npos);
}

}  // namespace
}  // namespace weir::os
