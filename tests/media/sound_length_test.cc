#include "weir/media/sound_length.h"

#include <gtest/gtest.h>

#include <string>

#include "media_files.h"
#include "weir/media/projector.h"

namespace weir::media {
namespace {

using namespace test;

double seconds_of(std::string_view bytes) {
  return sound_seconds(base64(bytes)).value_or(-1);
}

std::string wav(std::uint32_t bytes_a_second, std::uint32_t data_bytes, std::size_t there) {
  return "RIFF" + little(0, 4) + "WAVE" + "LIST" + little(3, 4) + "abc" + std::string(1, '\0') +
         "fmt " + little(16, 4) + little(1, 2) + little(1, 2) + little(16000, 4) +
         little(bytes_a_second, 4) + little(2, 2) + little(16, 2) + "data" + little(data_bytes, 4) +
         std::string(there, 'x');
}

// An MPEG 1 layer III frame head: 128 kbit/s, 44100 Hz, stereo.
const std::string kFrame = "\xFF\xFB\x90" + std::string(1, '\0');

TEST(SoundSeconds, WavByItsByteRate) {
  EXPECT_DOUBLE_EQ(seconds_of(wav(32000, 64000, 64000)), 2);
}

TEST(SoundSeconds, WavOfOpenLengthByWhatThereIs) {
  EXPECT_NEAR(seconds_of(wav(32000, 0xFFFFFFFF, 16000)), 0.5, 0.001);
}

TEST(SoundSeconds, Mp3ByItsBitRate) {
  EXPECT_NEAR(seconds_of(kFrame + std::string(16000 - 4, 'x')), 1, 0.001);
  EXPECT_NEAR(seconds_of("ID3\x04" + std::string(2, '\0') + std::string("\0\0\x01\x00", 4) +
                         std::string(128, 't') + kFrame + std::string(16000 - 4, 'x')),
              1, 0.001);
}

TEST(SoundSeconds, Mp3ByItsFrames) {
  EXPECT_NEAR(
      seconds_of(kFrame + std::string(32, '\0') + "Xing" + big(1, 4) + big(3829, 4) + "rest"),
      3829 * 1152 / 44100.0, 0.001);
}

TEST(SoundSeconds, Flac) {
  const std::string info = std::string(10, '\0') + big(44100 << 4, 3) + big(0, 1) + big(88200, 4);
  EXPECT_NEAR(seconds_of("fLaC" + big(34, 4) + info), 2, 0.001);
}

TEST(SoundSeconds, NoneForWhatIsNoSound) {
  for (const std::string& bytes :
       {std::string(), std::string("abc"), std::string(9000, 'x'), std::string(9000, '\xFF'),
        wav(0, 1000, 1000), wav(32000, 10, 10).substr(0, 40), png(3, 3), wav(1, 0xFFFFFFFF, 100000),
        "fLaC" + std::string(40, '\0')}) {
    EXPECT_EQ(seconds_of(bytes), -1) << bytes.size();
  }
  EXPECT_FALSE(sound_seconds("https://example.com/a.wav"));
}

TEST(SoundTokens, WithoutAProjectorBySeconds) {
  EXPECT_EQ(default_sound_tokens(0), 0U);
  EXPECT_EQ(default_sound_tokens(1.01), 26U);
  EXPECT_EQ(default_sound_tokens(-1), 0U);
}

}  // namespace
}  // namespace weir::media
