// The colour of a team in the plan: one of eight quiet hues, or the user's own colour made as quiet as these. Pure.

/** Colours for light grounds and for dark ones. */
export type TeamColour = { readonly light: string; readonly dark: string };

/** The hues that are offered for teams, in the order of the theme's values. */
const offered = ['#5d6f96', '#6e7f45', '#84608c', '#96694c', '#3f7a68', '#4e7587', '#8c5662', '#877437'] as const;

/** The highest chroma of the offered hues, and lightnesses at which a bar has the contrast of theirs. */
const mostChroma = 0.084;
const lightness = { light: 0.54, dark: 0.67 } as const;

/** `colour` is as `#2f6fde`. */
export function teamColour(colour: string): TeamColour {
  const index = offered.indexOf(colour.toLowerCase() as (typeof offered)[number]);
  if (index >= 0) return { light: `var(--team-${index})`, dark: `var(--team-${index})` };
  const { chroma, hue } = oklchOf(colour);
  const quiet = `${Math.min(chroma, mostChroma).toFixed(3)} ${hue.toFixed(1)}`;
  return { light: `oklch(${lightness.light} ${quiet})`, dark: `oklch(${lightness.dark} ${quiet})` };
}

/** The cylindrical form of Oklab (Björn Ottosson, 2020): chroma from 0, hue in degrees. */
export function oklchOf(colour: string): { readonly chroma: number; readonly hue: number } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) =>
    linear(Number.parseInt(colour.slice(start, start + 2), 16)),
  );
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { chroma: Math.hypot(a, b), hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 };
}

function linear(value: number): number {
  const share = (Number.isNaN(value) ? 128 : value) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
