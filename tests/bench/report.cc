#include "report.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace weir::bench {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double percentile(std::vector<std::uint32_t> values, double part) {
  if (values.empty()) {
    return 0;
  }
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

std::string number(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

Report::Report() {
  std::printf(
      "| measure | weir | beside | ratio | limit | met |\n| --- | --- | --- | --- | --- | --- |\n");
}

void Report::add(const Row& row) {
  std::printf("| %s | %s | %s | %s | %s | %s |\n", row.measure.c_str(), row.weir.c_str(),
              row.beside.c_str(), row.ratio.c_str(), row.limit.c_str(), row.met ? "yes" : "NO");
  std::fflush(stdout);
  all_met_ = all_met_ && row.met;
}

void Report::note(const std::string& text) {
  notes_.push_back(text);
}

void Report::end() const {
  std::printf("\n");
  for (const std::string& note : notes_) {
    std::printf("- %s\n", note.c_str());
  }
}

}  // namespace weir::bench
