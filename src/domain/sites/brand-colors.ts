// Colours that people can read, made of the one colour that a site calls its own.

type Channels = readonly [red: number, green: number, blue: number];

export const brandColorPattern = /^#[0-9a-f]{6}$/i;

interface BrandTones {
  accent: string;
  accentPressed: string;
  onAccent: string;
  /** For text and focus rings. */
  link: string;
}

const black: Channels = [0, 0, 0];
const white: Channels = [255, 255, 255];

/** The surface of each theme on which a colour stands out least (src/web/shared/tokens.css). */
const surfaces = { light: '#efeff1', dark: '#222226' } as const;

/** WCAG 2.2, 1.4.3 and 1.4.11. */
export const leastContrast = { text: 4.5, shape: 3 } as const;

/** A grey with less looks like a button that is off. */
const greyContrast = 12;

function isGrey(channels: Channels): boolean {
  return Math.max(...channels) - Math.min(...channels) < 16;
}

/** @param color such as `#1d4ed8` */
export function brandTones(color: string, theme: 'light' | 'dark'): BrandTones {
  const own = channelsOf(color);
  const away = theme === 'light' ? black : white;
  const surface = channelsOf(surfaces[theme]);
  const isLost = contrastOf(own, surface) < leastContrast.shape;
  const enough = isLost && isGrey(own) ? greyContrast : leastContrast.shape;
  const accent = until(own, away, (tone) => contrastOf(tone, surface) >= enough);
  const onAccent = contrastOf(accent, white) >= leastContrast.text ? white : black;
  const link = until(own, away, (tone) => contrastOf(tone, surface) >= leastContrast.text);
  return {
    accent: written(accent),
    // Away from the text on it, so that the contrast grows.
    accentPressed: written(mixed(accent, onAccent === white ? black : white, 0.14)),
    onAccent: written(onAccent),
    link: written(link),
  };
}

export function contrast(one: string, other: string): number {
  return contrastOf(channelsOf(one), channelsOf(other));
}

function until(from: Channels, towards: Channels, isEnough: (tone: Channels) => boolean): Channels {
  const steps = 50;
  for (let step = 0; step < steps; step += 1) {
    const tone = mixed(from, towards, step / steps);
    if (isEnough(tone)) return tone;
  }
  return towards;
}

function mixed(from: Channels, towards: Channels, share: number): Channels {
  const mix = (at: 0 | 1 | 2) => Math.round(from[at] + (towards[at] - from[at]) * share);
  return [mix(0), mix(1), mix(2)];
}

function contrastOf(one: Channels, other: Channels): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(channels: Channels): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): Channels {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function written(channels: Channels): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
