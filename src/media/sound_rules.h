#pragma once

// How many tokens a sound becomes, by the kind of its projector.

#include <cstdint>
#include <string_view>

namespace weir::media {

// `projector` is clip.audio.projector_type; an unknown one counts as default_sound_tokens does.
// `stack_factor` is what the file says. `seconds` is at most kSoundSecondsMax.
std::uint64_t sound_tokens(std::string_view projector, std::uint32_t stack_factor, double seconds);

}  // namespace weir::media
