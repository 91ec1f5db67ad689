/**
 * Writes Zod schemas as TypeScript types, so that neither browsers nor the types of a package need Zod.
 *
 * @typedef {{ _zod: { def: any, optin?: string, optout?: string, parent?: Schema } }} Schema
 * @typedef {{ name?: string, text?: string, like?: Schema, argument?: { parameter: string, schema: Schema } }} TypeName
 * @typedef {'input' | 'output'} Direction `input`: before parsing, as callers write it. `output`: as it is returned.
 */

/**
 * @param {{ get: (schema: any) => TypeName | undefined }} typeNames
 * @param {{ get: (schema: any) => { description?: string } | undefined }} descriptions
 */
export function createTypeWriter(typeNames, descriptions) {
  /** @type {Map<string, { text: string, description: string | undefined }>} */
  const records = new Map()
  /** @type {Set<string>} names that types written by hand refer to */
  const handwritten = new Set()
  /** @type {{ schema: Schema, parameter: string } | undefined} the argument of the generic type that is being written */
  let hole

  /** @param {Schema} schema @param {Direction} direction @returns {string} */
  function write(schema, direction) {
    if (schema === hole?.schema) return hole.parameter
    const given = typeNames.get(schema)
    if (given?.like) return write(given.like, direction)
    if (given?.text) return refer(given.text)
    return given?.name ? writeNamed(schema, given.name, given.argument, direction) : writePlain(schema, direction)
  }

  /** @param {string} text */
  function refer(text) {
    for (const [name] of text.matchAll(/\b(?:Wire[A-Z]\w+|Acl|FindInput)\b/g)) handwritten.add(name)
    return text
  }

  /** @param {Schema} schema @param {string} name @param {TypeName['argument']} argument @param {Direction} direction */
  function writeNamed(schema, name, argument, direction) {
    const outer = hole
    hole = argument
    const text = `${argument ? `<${argument.parameter}>` : ''} = ${writePlain(schema, direction)}`
    hole = outer
    const known = records.get(name)
    if (known && known.text !== text) throw new Error(`Two different types are named ${name}:\n${known.text}\n${text}`)
    if (!known) records.set(name, { text, description: descriptions.get(schema)?.description })
    return argument ? `${name}<${write(argument.schema, direction)}>` : name
  }

  /** @param {Schema} schema @param {Direction} direction @returns {string} */
  function writePlain(schema, direction) {
    const { def } = schema._zod
    switch (def.type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
      case 'unknown':
        return def.coerce && direction === 'input' ? 'string | number' : def.type
      case 'literal':
        return def.values.map(quote).join(' | ')
      case 'enum':
        return Object.values(def.entries).map(quote).join(' | ')
      case 'array':
        return `(${write(def.element, direction)})[]`
      case 'record':
        return writeRecord(def, direction)
      case 'union':
        return [...new Set(def.options.map((/** @type {Schema} */ option) => write(option, direction)))].join(' | ')
      case 'nullable':
        return `${write(def.innerType, direction)} | null`
      case 'optional':
      case 'default':
      case 'prefault':
      case 'nonoptional':
      case 'readonly':
        return write(def.innerType, direction)
      case 'pipe':
        return write(direction === 'input' ? def.in : def.out, direction)
      case 'object':
        return writeObject(def, direction)
      default:
        throw new Error(`A schema of type ${def.type} needs its type written by hand: typed('…', schema)`)
    }
  }

  /** @param {any} def @param {Direction} direction */
  function writeRecord(def, direction) {
    const value = write(def.valueType, direction)
    return value === 'WireValue' ? refer('WireFields') : `{ [name: string]: ${value} }`
  }

  /** @param {any} def @param {Direction} direction */
  function writeObject({ shape, catchall }, direction) {
    const members = Object.entries(shape)
    const isOpen = catchall && catchall._zod.def.type !== 'never'
    // Members of the application's own are promised where there is nothing else, or where they are said to be values.
    const open = isOpen && (members.length === 0 || typeNames.get(catchall)?.text === 'WireValue')
    const lines = members.map(([name, member]) => writeMember(name, /** @type {Schema} */ (member), direction))
    // The formatter keeps an object on several lines where its first member is on a line of its own.
    const own = `{${lines.some((line) => line.startsWith('/**')) ? '\n' : ' '}${lines.join('\n')} }`
    if (!open) return members.length === 0 ? 'Record<never, never>' : own
    return members.length === 0 ? refer('WireFields') : `${refer('WireFields')} & ${own}`
  }

  /** @param {string} name @param {Schema} schema @param {Direction} direction */
  function writeMember(name, schema, direction) {
    const { optin, optout } = schema._zod
    const optional = (direction === 'input' ? optin : optout) ? '?' : ''
    return `${comment(describe(schema))}${/^\w+$/.test(name) ? name : quote(name)}${optional}: ${write(schema, direction)}`
  }

  /** Description of this member, not of its type in general. @param {Schema} schema @returns {string | undefined} */
  function describe(schema) {
    const said = descriptions.get(schema)?.description
    const { name } = typeNames.get(schema) ?? {}
    if (name) return said === records.get(name)?.description || said === described(schema) ? undefined : said
    if (said !== undefined) return said
    const { def } = schema._zod
    const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined)
    return inner && describe(inner)
  }

  /** @param {Schema} schema @returns {string | undefined} the description of the type that a copy of it is of */
  function described(schema) {
    const { parent } = schema._zod
    if (parent && typeNames.get(parent)?.name) return described(parent)
    return descriptions.get(schema)?.description
  }

  /** Writes records that no endpoint takes or returns as they are. @param {Schema[]} schemas */
  function writeMissing(schemas) {
    for (const schema of schemas) if (!records.has(typeNames.get(schema)?.name ?? '')) write(schema, 'output')
  }

  return { write, writeMissing, records, handwritten }
}

/** @param {unknown} value */
export function quote(value) {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
}

/** @param {string | undefined} text */
export function comment(text) {
  return text ? `/** ${text} */\n` : ''
}
