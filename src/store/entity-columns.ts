// One table of columns per entity: gives its row type, the mapping both ways, and which columns changed.

import { recordMapper } from './compiled-shape.ts';

type Column = {
  readonly column: string;
  readonly type: 'int' | 'text';
  readonly form: 'plain' | 'optional' | 'flag';
  /** Only carries the type of the values, if it is narrower than that of the column; never set. */
  readonly values?: unknown;
};

export type EntityFields = Readonly<Record<string, Column>>;

export function int<const N extends string>(column: N) {
  return { column, type: 'int', form: 'plain' } as const;
}

export function text<const N extends string>(column: N) {
  return { column, type: 'text', form: 'plain' } as const;
}

/** A column that may be null; the field is undefined then. */
export function optionalInt<const N extends string>(column: N) {
  return { column, type: 'int', form: 'optional' } as const;
}

export function optionalText<const N extends string>(column: N) {
  return { column, type: 'text', form: 'optional' } as const;
}

/** A column whose values are some texts or numbers only. */
export function oneOf<T extends string | number>() {
  return <const C extends Column>(column: C): C & { readonly values?: T } => column as never;
}

/** A boolean, stored as 0 or 1. */
export function flag<const N extends string>(column: N) {
  return { column, type: 'int', form: 'flag' } as const;
}

type Plain<C extends Column> = C extends { readonly values?: infer T extends string | number }
  ? T
  : C['type'] extends 'int'
    ? number
    : string;

type FieldValue<C extends Column> = C['form'] extends 'flag'
  ? boolean
  : C['form'] extends 'optional'
    ? Plain<C> | undefined
    : Plain<C>;

type ColumnValue<C extends Column> = C['form'] extends 'optional' ? Plain<C> | null : Plain<C>;

/** The entity with one field per column. */
export type EntityOf<F extends EntityFields> = { readonly [K in keyof F]: FieldValue<F[K]> };

/** The row, with the names and values of the database. */
export type RowOf<F extends EntityFields> = { readonly [K in keyof F as F[K]['column']]: ColumnValue<F[K]> };

/** The types of the columns by name, as row statements take them. */
type ColumnTypes<F extends EntityFields> = { readonly [K in keyof F as F[K]['column']]: F[K]['type'] };

export type EntityColumns<F extends EntityFields> = {
  readonly types: ColumnTypes<F>;
  readonly toRow: (entity: EntityOf<F>) => RowOf<F>;
  readonly fromRow: (row: RowOf<F>) => EntityOf<F>;
};

export function entityColumns<const F extends EntityFields>(fields: F): EntityColumns<F> {
  const columns = Object.entries(fields);
  const types = Object.fromEntries(columns.map(([, { column, type }]) => [column, type]));
  const toRow = columns.map(([from, { column: name, form }]) => ({ name, from, conversion: toColumn[form] }));
  const fromRow = columns.map(([name, { column: from, form }]) => ({ name, from, conversion: fromColumn[form] }));
  return { types: types as ColumnTypes<F>, toRow: recordMapper(toRow), fromRow: recordMapper(fromRow) };
}

const toColumn = { plain: 'none', optional: 'nullable', flag: 'bit' } as const;
const fromColumn = { plain: 'none', optional: 'present', flag: 'boolean' } as const;

/** Returns the columns whose values differ between two rows. */
export function changedColumns<R extends object>(names: readonly (keyof R)[], one: R, other: R): readonly (keyof R)[] {
  return names.filter((name) => one[name] !== other[name]);
}
