// Reads the header `Prefer` of intakes (RFC 7240): strict handling, and a representation of the results.

export type Preferences = {
  /** Whether everything that would be a warning is refused, for integrators who test their client. */
  readonly isStrict: boolean;
  /** Whether lists are answered with objects instead of ids. */
  readonly wantsRepresentation: boolean;
  /** The value of the response header `Preference-Applied`; empty if there is none. */
  readonly applied: string;
};

export const noPreferences: Preferences = { isStrict: false, wantsRepresentation: false, applied: '' };

export function preferencesOf(header: string | readonly string[] | undefined): Preferences {
  if (header === undefined) return noPreferences;
  const wanted = new Set(
    String(header)
      .toLowerCase()
      .split(',')
      .map((part) => (part.split(';', 1)[0] ?? '').replace(/[\s"]/g, '')),
  );
  const known = ['handling=strict', 'return=representation'].filter((preference) => wanted.has(preference));
  return {
    isStrict: wanted.has('handling=strict'),
    wantsRepresentation: wanted.has('return=representation'),
    applied: known.join(', '),
  };
}
