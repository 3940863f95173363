// Finds the tables that a statement reads and writes in its Kysely tree; test/statement-tables.test.ts compares them
// with what SQLite opens.

import {
  CommonTableExpressionNode,
  type OperationNode,
  type OperationNodeSource,
  type RawBuilder,
  sql,
  TableNode,
} from 'kysely';
import type { TableName, Tables } from './tables.ts';

export type StatementTables = { readonly reads: readonly string[]; readonly writes: readonly string[] };

/** A table that SQL text reads. Text alone would hide it from `tablesOf`. */
export function table<T extends TableName>(name: T): RawBuilder<Tables[T]> {
  return sql.table(name);
}

/** The table that an INSERT, UPDATE or DELETE written as SQL text changes. */
export function target(name: TableName): OperationNodeSource {
  const node: TargetNode = { ...TableNode.create(name), isTarget: true };
  return { toOperationNode: () => node };
}

type TargetNode = TableNode & { readonly isTarget?: true };

type Found = { readonly reads: Set<string>; readonly writes: Set<string>; readonly expressions: Set<string> };

export function tablesOf(query: OperationNode): StatementTables {
  const found: Found = { reads: new Set(), writes: new Set(), expressions: new Set() };
  visit(query, 'reads', found);
  return { reads: [...found.reads.difference(found.expressions)], writes: [...found.writes] };
}

/** Visits a node whose tables are used for `use`. */
function visit(node: OperationNode, use: 'reads' | 'writes', found: Found): void {
  if (TableNode.is(node)) {
    found[(node as TargetNode).isTarget ? 'writes' : use].add(nameOf(node));
    return;
  }
  // The table of a column is one of those in `from` and `join`, or an alias.
  if (node.kind === 'ReferenceNode') return;
  // Its name is read like a table, but is none.
  if (CommonTableExpressionNode.is(node)) found.expressions.add(nameOf(node.name.table));
  const written = writtenPart[node.kind];
  for (const [part, value] of Object.entries(node)) visitAll(value, part === written ? 'writes' : use, found);
}

/** The part of a node that holds the table it changes. */
const writtenPart: Readonly<Record<string, string>> = {
  InsertQueryNode: 'into',
  UpdateQueryNode: 'table',
  DeleteQueryNode: 'from',
  MergeQueryNode: 'into',
};

function visitAll(value: unknown, use: 'reads' | 'writes', found: Found): void {
  if (Array.isArray(value)) for (const item of value) visitAll(item, use, found);
  else if (isNode(value)) visit(value, use, found);
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

function nameOf({ table: { identifier } }: TableNode): string {
  return identifier.name;
}
