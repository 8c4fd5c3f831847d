#include "test_ca.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <random>
#include <stdexcept>

namespace weir::fakes {
namespace {

constexpr long kDaySeconds = 24L * 60 * 60;

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using KeyPtr = std::unique_ptr<EVP_PKEY, FreeKey>;
using CertificatePtr = std::unique_ptr<X509, FreeCertificate>;

void must(bool good, const char* what) {
  if (!good) {
    throw std::runtime_error(std::string("test certificate: ") + what);
  }
}

KeyPtr new_key() {
  KeyPtr key(EVP_EC_gen("P-256"));
  must(key != nullptr, "key");
  return key;
}

void add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  must(extension != nullptr, value);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

CertificatePtr unsigned_certificate(const char* name, long serial, EVP_PKEY* key) {
  CertificatePtr certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kDaySeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDaySeconds);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  return certificate;
}

std::filesystem::path new_file() {
  std::random_device random;
  const std::string name = "weir-test-ca-" + std::to_string(random()) + ".pem";
  return std::filesystem::temp_directory_path() / name;
}

void write_pem(const std::filesystem::path& path, X509* certificate) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  must(file != nullptr, "file");
  PEM_write_X509(file, certificate);
  std::fclose(file);
}

CertificatePtr signed_certificate(const char* name, EVP_PKEY* key, X509* ca, EVP_PKEY* ca_key) {
  CertificatePtr leaf = unsigned_certificate(name, 2, key);
  X509_set_issuer_name(leaf.get(), X509_get_subject_name(ca));
  const std::string names = "DNS:" + std::string(name) + ",DNS:localhost,IP:127.0.0.1";
  add_extension(leaf.get(), ca, NID_subject_alt_name, names.c_str());
  must(X509_sign(leaf.get(), ca_key, EVP_sha256()) > 0, "signature");
  return leaf;
}

}  // namespace

TestCa& TestCa::shared() {
  static TestCa ca;
  return ca;
}

TestCa::TestCa() : ca_file_(new_file()), context_(SSL_CTX_new(TLS_server_method())) {
  ca_key_.reset(new_key().release());
  ca_.reset(unsigned_certificate("weir test authority", 1, ca_key_.get()).release());
  X509_set_issuer_name(ca_.get(), X509_get_subject_name(ca_.get()));
  add_extension(ca_.get(), ca_.get(), NID_basic_constraints, "critical,CA:TRUE");
  must(X509_sign(ca_.get(), ca_key_.get(), EVP_sha256()) > 0, "signature");
  write_pem(ca_file_, ca_.get());

  const KeyPtr key = new_key();
  const CertificatePtr leaf = signed_certificate("cloud.test", key.get(), ca_.get(), ca_key_.get());
  must(SSL_CTX_use_certificate(context_.get(), leaf.get()) == 1, "use");
  must(SSL_CTX_use_PrivateKey(context_.get(), key.get()) == 1, "use key");
  SSL_CTX_set_mode(context_.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> TestCa::client_context() const {
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(SSL_CTX_new(TLS_client_method()),
                                                       SSL_CTX_free);
  must(SSL_CTX_load_verify_file(context.get(), ca_file_.c_str()) == 1, "trust");
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  return context;
}

void TestCa::write_server(const std::string& name, const std::filesystem::path& cert,
                          const std::filesystem::path& key_file) const {
  const KeyPtr key = new_key();
  const CertificatePtr leaf =
      signed_certificate(name.c_str(), key.get(), ca_.get(), ca_key_.get());
  std::FILE* file = std::fopen(cert.c_str(), "w");
  must(file != nullptr, "file");
  PEM_write_X509(file, leaf.get());
  PEM_write_X509(file, ca_.get());
  std::fclose(file);
  file = std::fopen(key_file.c_str(), "w");
  must(file != nullptr, "file");
  PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
  std::filesystem::permissions(key_file, std::filesystem::perms::owner_read |
                                             std::filesystem::perms::owner_write);
}

TestCa::~TestCa() {
  std::error_code ignored;
  std::filesystem::remove(ca_file_, ignored);
}

}  // namespace weir::fakes
