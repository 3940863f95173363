// Writes the schema and the rows of a PostgreSQL database as SQL text: the npm package has no pg_dump.

import { Client } from 'pg';

/** Executed in an empty database, the text creates the same tables, rows, constraints, indexes and sequence positions. */
export async function dumpPostgres(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const tables = await readTables(client);
    const statements: string[] = [];
    for (const table of tables) statements.push(await createTable(client, table));
    for (const table of tables) statements.push(...(await insertRows(client, table)));
    const { rows } = await client.query<{ statement: string }>(selectDefinitions);
    statements.push(...rows.map(({ statement }) => statement));
    for (const table of tables) statements.push(...(await setSequences(client, table)));
    return statements.map((statement) => `${statement};\n`).join('');
  });
}

export async function loadPostgres(url: string, text: string): Promise<void> {
  await withClient(url, (client) => client.query(text));
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

type Table = { readonly name: string; readonly options: readonly string[] | null };
type Column = {
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly is_required: boolean;
  readonly identity: string;
  readonly default_value: string | null;
};

async function readTables(client: Client): Promise<readonly Table[]> {
  const sql = `select relname as name, reloptions as options from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`;
  return (await client.query<Table>(sql)).rows;
}

async function readColumns(client: Client, table: string): Promise<readonly Column[]> {
  const sql = `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as is_required,
      attidentity as identity, pg_get_expr(adbin, adrelid) as default_value,
      case when attcollation <> typcollation then quote_ident(collname) end as collation
    from pg_attribute join pg_type on pg_type.oid = atttypid
      left join pg_collation on pg_collation.oid = attcollation
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`;
  return (await client.query<Column>(sql, [table])).rows;
}

async function createTable(client: Client, { name, options }: Table): Promise<string> {
  const columns = (await readColumns(client, name)).map((column) =>
    [
      `${column.name} ${column.type}`,
      column.collation === null ? '' : ` COLLATE ${column.collation}`,
      column.identity === '' ? '' : ` GENERATED ${column.identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`,
      column.default_value === null ? '' : ` DEFAULT ${column.default_value}`,
      column.is_required ? ' NOT NULL' : '',
    ].join(''),
  );
  return `CREATE TABLE ${name} (${columns.join(', ')})${options === null ? '' : ` WITH (${options.join(', ')})`}`;
}

async function insertRows(client: Client, { name }: Table): Promise<readonly string[]> {
  const columns = (await readColumns(client, name)).map((column) => column.name);
  const order = columns.map((_, index) => index + 1).join(', ');
  const sql = `select ${columns.map((column) => `${column}::text`).join(', ')} from ${name} order by ${order}`;
  const { rows } = await client.query<(string | null)[]>({ text: sql, rowMode: 'array' });
  const literal = (value: string | null): string => (value === null ? 'NULL' : client.escapeLiteral(value).trim());
  return rows.map(
    (row) =>
      `INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE VALUES (${row.map(literal).join(', ')})`,
  );
}

/** Foreign keys come last: they need the keys they refer to. Not-null constraints are part of the columns. */
const selectDefinitions = `
  select statement from (
    select case contype when 'f' then 3 else 1 end as step, conrelid::regclass::text || conname as place,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as statement
    from pg_constraint where connamespace = current_schema()::regnamespace and conrelid <> 0 and contype <> 'n'
    union all
    select 2, indexrelid::regclass::text, pg_get_indexdef(indexrelid)
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)
  ) as definitions order by step, place`;

async function setSequences(client: Client, { name }: Table): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const column of await readColumns(client, name)) {
    if (column.identity === '') continue;
    const sequence = `pg_get_serial_sequence('${name}', '${column.name}')`;
    const { rows } = await client.query(`select pg_sequence_last_value(${sequence}::regclass) as last`);
    if (rows[0].last !== null) statements.push(`SELECT setval(${sequence}, ${rows[0].last})`);
  }
  return statements;
}
