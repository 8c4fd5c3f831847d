#pragma once

// Medians, and the table that a run prints.

#include <string>
#include <vector>

namespace weir::bench {

double median(std::vector<double> values);
// `part` 0.99: the value that 99 of 100 do not exceed.
double percentile(std::vector<std::uint32_t> values, double part);

// "12.3"
std::string number(double value, int digits = 1);

struct Row {
  std::string measure;
  std::string weir;
  std::string beside;  // nginx or straight, in the same run
  std::string ratio;   // or difference
  std::string limit;
  bool met = true;
};

// As a Markdown table, as they come.
class Report {
 public:
  Report();
  void add(const Row& row);
  void note(const std::string& text);  // a line of figures that has no limit, printed at the end
  bool all_met() const { return all_met_; }
  void end() const;

 private:
  std::vector<std::string> notes_;
  bool all_met_ = true;
};

}  // namespace weir::bench
