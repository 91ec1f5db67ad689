import { refuse } from '@countersign/protocol'
import { allowedFunctions, allowedNodes, allowedParts, allowedTypes, allowedValues } from './allowedSql.ts'

/** A query that passed: its text without a semicolon, and the tables that it names. */
export type CheckedSql = { text: string; tables: string[] }

type Node = { [key: string]: unknown }

type Reading = {
  /** Tables that queries may read. */
  readable: ReadonlySet<string>
  /** Tables and `with` queries that the text names. */
  named: Set<string>
  defined: Set<string>
}

const deepest = 300

const problem = (text: string) => refuse('sqlRefused', { problem: text })

/**
 * Checks a query with PostgreSQL's own parser: a single select, of allowed parts, functions and types, on readable tables.
 * The database role is the second lock, where there is one.
 */
export async function readSql(query: string, readable: ReadonlySet<string>): Promise<CheckedSql> {
  const statements = await parse(query)
  const [statement] = statements
  if (!statement) throw problem('it is empty')
  if (statements.length > 1) throw problem('only one statement is allowed')
  const { stmt, stmt_location: from = 0, stmt_len: length } = statement
  if (!Object.hasOwn(stmt, 'SelectStmt')) throw problem('only SELECT is allowed')
  const reading: Reading = { readable, named: new Set(), defined: new Set() }
  check(stmt, reading, 0)
  for (const name of reading.named)
    if (!readable.has(name) && !reading.defined.has(name)) throw problem(`there is no class ${name}`)
  // The parser counts bytes.
  const text = Buffer.from(query).subarray(from, length === undefined ? undefined : from + length)
  return { text: text.toString(), tables: [...reading.named].filter((name) => readable.has(name)) }
}

type Statement = { stmt: Node; stmt_location?: number; stmt_len?: number }

async function parse(query: string): Promise<Statement[]> {
  const parser = await import('libpg-query')
  await parser.loadModule()
  try {
    return ((parser.parseSync(query) as { stmts?: Statement[] }).stmts ?? []) as Statement[]
  } catch (error) {
    if (error instanceof parser.SqlError) throw problem(error.message)
    if (error instanceof RangeError || (error as Error).name === 'RuntimeError')
      throw problem('it is nested too deeply')
    throw error
  }
}

/** Visits every part. An unknown one is refused. */
function check(value: unknown, reading: Reading, depth: number): void {
  if (depth > deepest) throw problem('it is nested too deeply')
  if (Array.isArray(value)) {
    for (const item of value) check(item, reading, depth + 1)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (/^[A-Z]/.test(key)) checkNode(key, part as Node, reading)
    else if (typeof part === 'object' && part !== null && !Array.isArray(part)) checkPart(key, part as Node, reading)
    check(part, reading, depth + 1)
  }
}

/** Fields whose value names its own type. */
function checkPart(key: string, part: Node, reading: Reading): void {
  const [only] = Object.keys(part)
  if (only !== undefined && /^[A-Z]/.test(only)) return
  if (!allowedParts.has(key)) throw problem(`${key} is not allowed`)
  if (key === 'typeName') checkType(part)
  if (key === 'larg' || key === 'rarg') checkNode('SelectStmt', part, reading)
}

function checkNode(type: string, node: Node, { named, defined }: Reading): void {
  if (!allowedNodes.has(type)) throw problem(`${type} is not allowed`)
  if (type === 'FuncCall') checkFunction(node)
  if (type === 'A_Expr' || type === 'SubLink') checkOperator(node)
  if (type === 'SQLValueFunction' && !allowedValues.has(String(node.op))) throw problem(`${node.op} is not allowed`)
  if (type === 'RangeVar') {
    if (node.schemaname !== undefined || node.catalogname !== undefined)
      throw problem('a schema is not allowed before the name of a class')
    const name = String(node.relname)
    if (isInternal(name)) throw problem(`${name} is not allowed`)
    named.add(name)
  }
  if (type === 'CommonTableExpr') {
    const name = String(node.ctename)
    // Outside of its own query, the name would mean a table of the catalog.
    if (isInternal(name)) throw problem(`${name} is not allowed`)
    defined.add(name)
  }
  if (type === 'ColumnRef') {
    const last = textsOf(node.fields).at(-1)
    if (last !== undefined && (last.startsWith('_') || isInternal(last))) throw problem(`${last} is not allowed`)
  }
  // PostgreSQL takes (value).name for a call of a function.
  if (type === 'A_Indirection' && textsOf(node.indirection).some((text) => text !== undefined))
    throw problem('(value).name is not allowed')
}

const isInternal = (name: string) => /^(pg_|lo_|information_schema$)/i.test(name)

const textsOf = (list: unknown): (string | undefined)[] =>
  (Array.isArray(list) ? list : []).map((item: { String?: { sval?: string } }) => item.String?.sval)

function checkFunction(node: Node): void {
  const name = nameOf(node.funcname)
  if (!allowedFunctions.has(name)) throw problem(`the function ${name} is not allowed`)
}

function checkType({ names, setof, pct_type }: Node): void {
  const name = nameOf(names)
  if (setof || pct_type || !allowedTypes.has(name)) throw problem(`the type ${name} is not allowed`)
}

function checkOperator({ name, operName }: Node): void {
  const names = textsOf(name ?? operName)
  if (names.length > 1 && (names.length > 2 || names[0] !== 'pg_catalog'))
    throw problem('a schema is not allowed before an operator')
}

/** The name without `pg_catalog`, which the parser adds to names of the SQL standard. */
function nameOf(list: unknown): string {
  const names = textsOf(list)
  if (names.length === 2 && names[0] === 'pg_catalog') names.shift()
  return names.join('.')
}
