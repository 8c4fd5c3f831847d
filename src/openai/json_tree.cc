#include "json_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace weir::openai {
namespace {

// The library's own reader looks through all members of an object for each key it adds.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool key(string_t& key) override {
    members(*open_.back()).emplace_back(std::move(key), nullptr);
    return true;
  }
  bool end_object() override {
    keep_last(members(*open_.back()));
    open_.pop_back();
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }

 private:
  using Members = std::vector<std::pair<const std::string, Json>>;

  static Members& members(Json& object) { return object.get_ref<Json::object_t&>(); }

  Json& place() {
    if (open_.empty()) {
      return root_;
    }
    Json& top = *open_.back();
    return top.is_object() ? members(top).back().second
                           : top.get_ref<Json::array_t&>().emplace_back();
  }

  bool add(Json value) {
    place() = std::move(value);
    return true;
  }

  bool open(Json container) {
    Json& at = place();
    at = std::move(container);
    open_.push_back(&at);
    return true;
  }

  static void keep_last(Members& all) {
    if (all.size() < 2) {
      return;
    }
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int compared = all[a].first.compare(all[b].first);
      return compared < 0 || (compared == 0 && a < b);
    });
    std::vector<bool> is_doubled(all.size(), false);
    std::size_t first = 0;  // of a run of equal keys in `order`
    bool any = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (all[order[i]].first != all[order[first]].first) {
        first = i;
        continue;
      }
      all[order[first]].second = std::move(all[order[i]].second);
      is_doubled[order[i]] = true;
      any = true;
    }
    if (any) {
      Members kept;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_doubled[i]) {
          kept.emplace_back(all[i].first, std::move(all[i].second));
        }
      }
      all.swap(kept);
    }
  }

  Json root_;
  std::vector<Json*> open_;  // the containers around the next value; each stays where it is
};

}  // namespace

std::optional<Json> json_tree(std::string_view text) {
  TreeBuilder builder;
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) {
    return std::nullopt;
  }
  return builder.take();
}

}  // namespace weir::openai
