#pragma once

// What can happen (a bad request, a timeout, a full queue) is a Result: a value, or an Error.
// It carries the member names of std::expected, which GCC 12 has not in C++20.

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace weir::base {

// Why something did not work. `openai::error_reply` maps each one to an HTTP status and an error
// body.
enum class ErrorCode {
  kBadJson,              // the request body is no JSON
  kBadRequest,           // JSON, but no chat request; or HTTP that we refuse
  kBodyTooLarge,         // more than server.body_bytes_max
  kUnsupportedEncoding,  // a request body with a Content-Encoding
  kHeaderTooLarge,       // more than the head limits of weir/http/request_head.h
  kUnauthorized,         // client key missing or wrong
  kForbiddenOrigin,      // foreign Origin or Host on loopback
  kNotFound,             // no such path, or no such upstream
  kMethodNotAllowed,     // known path, wrong method
  kRequestTimeout,       // the client did not send its request in time
  kUpstreamUnreachable,  // DNS, connect or TLS failed, or the upstream broke before it answered
  kUpstreamTimeout,      // no first byte, or silence, for longer than configured
  kOverloaded,           // a limit of ours is reached; try again later
  kDraining,             // weir is stopping
  kLoop,                 // the request came back to the weir that sent it on
  kClientGone,           // the client left; nobody is there to be told
  kBadConfig,            // the command line or config.toml is wrong (exit code 2)
  kCannotRun,            // port taken, file unreadable (exit code 3)
  kInternal,             // a bug of ours
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one line for a person, says what to do; never a key or prompt text
};

// A value of type T, or an Error. Test with `if (!result)`, then read `error()` or `*result`.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  const Error& error() const& { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace weir::base
