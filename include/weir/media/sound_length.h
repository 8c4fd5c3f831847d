#pragma once

// How long a sound is, from the header of its file: WAV, MP3, FLAC.

#include <optional>
#include <string_view>

namespace weir::media {

// Longer ones are not believed: 256 MB of the thinnest MP3 are half a day.
inline constexpr double kSoundSecondsMax = 86400;

// `source` as for picture_header. Seconds, exact for WAV and FLAC, and by the first frame's bit
// rate for an MP3 that does not say how many frames it has. Nothing when there is no such header.
std::optional<double> sound_seconds(std::string_view source);

}  // namespace weir::media
