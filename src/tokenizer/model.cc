#include "model.h"

namespace weir::tokenizer {

Model::~Model() = default;

Model::Work::Work(const Model& model, std::size_t text_bytes)
    : cache(text_bytes < kCacheFromBytes ? PieceCachePool::Loan(nullptr, nullptr)
                                         : model.caches_.lend()) {
}

}  // namespace weir::tokenizer
