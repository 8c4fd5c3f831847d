#pragma once

// A certificate authority made when a test starts, and a server certificate signed by it, for
// cloud.test, localhost and 127.0.0.1. Nothing of it is kept.

#include <openssl/ssl.h>

#include <filesystem>
#include <memory>
#include <string>

namespace weir::fakes {

class TestCa {
 public:
  // The one of this process: made at the first call.
  static TestCa& shared();

  // PEM, for `ca_file`. The file is removed at the end of the process.
  const std::filesystem::path& ca_file() const { return ca_file_; }
  // For clients that trust this authority; a new one each time.
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> client_context() const;

  // Writes a certificate for `name` and 127.0.0.1, followed by the authority's, and its key.
  void write_server(const std::string& name, const std::filesystem::path& cert,
                    const std::filesystem::path& key) const;

  // For servers.
  SSL_CTX* server_context() const { return context_.get(); }

  ~TestCa();
  TestCa(const TestCa&) = delete;
  TestCa& operator=(const TestCa&) = delete;

 private:
  TestCa();
  struct FreeContext {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };
  std::filesystem::path ca_file_;
  std::unique_ptr<SSL_CTX, FreeContext> context_;
  std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> ca_key_{nullptr, EVP_PKEY_free};
  std::unique_ptr<X509, void (*)(X509*)> ca_{nullptr, X509_free};
};

}  // namespace weir::fakes
