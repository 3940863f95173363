// Encodes objects with known fields as tuples, which threads exchange faster than objects with property names.

import { listReader, propertySetter } from '../compiled-shape.ts';

/** Declares a field; it only carries its type. */
export function field<T>(): { readonly type?: T } {
  return {};
}

type Fields = Readonly<Record<string, { readonly type?: unknown }>>;

type TypeOf<F> = F extends { readonly type?: infer T } ? T : never;

/** The object with these fields. */
export type FieldsOf<F extends Fields> = { readonly [K in keyof F]: TypeOf<F[K]> };

export type TupleCodec<T> = {
  readonly pack: (object: Partial<T>) => readonly unknown[];
  /** Sets the fields on the target and returns it. */
  readonly unpackInto: <B extends object>(target: B, values: readonly unknown[]) => B & T;
};

export function tupleCodec<F extends Fields>(fields: F): TupleCodec<FieldsOf<F>> {
  const names = Object.keys(fields);
  const pack = listReader(names.map((property) => ({ property })));
  return { pack, unpackInto: propertySetter(names) } as TupleCodec<FieldsOf<F>>;
}
