#include "model.h"

#include <atomic>

namespace weir::tokenizer {

namespace {

std::atomic<std::uint64_t> last_number = 0;

}  // namespace

Model::Model() : number_(++last_number) {
}

Model::~Model() = default;

Model::Work::Work(const Model& model, std::size_t text_bytes)
    : cache(text_bytes < kCacheFromBytes ? PieceCachePool::Loan(nullptr, nullptr)
                                         : model.caches_.lend()) {
}

}  // namespace weir::tokenizer
