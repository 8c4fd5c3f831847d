#include "weir/http/reason_phrase.h"

#include <gtest/gtest.h>

namespace weir::http {
namespace {

TEST(ReasonPhrase, NamesWhatWeirGives) {
  for (const int status :
       {200, 204, 400, 401, 403, 404, 405, 408, 413, 415, 431, 500, 502, 503, 504, 508}) {
    EXPECT_NE(reason_phrase(status), "Error") << status;
    EXPECT_FALSE(reason_phrase(status).empty()) << status;
  }
  EXPECT_EQ(reason_phrase(404), "Not Found");
  EXPECT_EQ(reason_phrase(599), "Error");
}

}  // namespace
}  // namespace weir::http
