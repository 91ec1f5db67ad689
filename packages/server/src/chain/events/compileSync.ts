import { createHash } from 'node:crypto'
import type { WireValue } from '@countersign/protocol'
import type { FieldType } from '../../classes/ClassSchema.ts'
import { defaultFieldNames, isClassName, isFieldName, isSystemClass } from '../../classes/names.ts'
import type { EventSettings, syncedTypes } from '../../config/eventSettings.ts'
import type { Abi, AbiEvent } from '../evm.ts'
import { type BlockFilter, bloomBits, isInBloom } from '../index/readBlocks.ts'
import type { RpcLog } from '../index/Transfer.ts'
import type { Hex } from '../nodes/Chain.ts'
import { readAbi } from '../reads/abi.ts'
import { createEventReader, type EventInput, type EventReader, exactBits } from './decodeEvent.ts'
import { withinRow } from './withinRow.ts'

/** Columns of each row besides the parameters of its event. */
const ownNames = {
  chain: 'chain',
  contract: 'contract',
  block: 'block',
  blockHash: 'blockHash',
  blockTime: 'blockTime',
  transaction: 'transaction',
  transactionIndex: 'transactionIndex',
  logIndex: 'logIndex',
  confirmed: 'confirmed',
}

export type PlaceNames = typeof ownNames

/** The same as the older service called them. */
const olderNames: PlaceNames = {
  chain: 'chainId',
  contract: 'address',
  block: 'block_number',
  blockHash: 'block_hash',
  blockTime: 'block_timestamp',
  transaction: 'transaction_hash',
  transactionIndex: 'transaction_index',
  logIndex: 'log_index',
  confirmed: 'confirmed',
}

const placeTypes: { [Name in keyof PlaceNames]: FieldType } = {
  chain: { type: 'Number' },
  contract: { type: 'String' },
  block: { type: 'Number' },
  blockHash: { type: 'String' },
  blockTime: { type: 'Date' },
  transaction: { type: 'String' },
  transactionIndex: { type: 'Number' },
  logIndex: { type: 'Number' },
  confirmed: { type: 'Boolean' },
}

/** A field that holds a parameter of the event. */
export type EventField = {
  name: string
  type: FieldType
  /** The parameter. */
  place: number
  convert: ((value: WireValue) => WireValue) | undefined
}

/** An event that is to be kept, ready to be looked for and read. */
export type Sync = {
  id: string
  chain: number
  name: string
  className: string
  /** Ends the ids of its rows. */
  key: string
  topic: Hex
  /** For the question: what further topics must be; empty where all will do. */
  topics: (Hex[] | null)[]
  /** Returns true if a block's header allows logs of the sync or of its factory. */
  mayBeIn(header: BlockFilter): boolean
  read: EventReader
  /** Returns true if the values match the filter. */
  isWanted(values: readonly WireValue[]): boolean
  fields: readonly EventField[]
  names: PlaceNames
  /** Undefined where a factory makes them. */
  contracts: ReadonlySet<string> | undefined
  factory: { contracts: readonly string[]; topic: Hex; read: EventReader; place: number } | undefined
  startBlock: number | 'latest' | undefined
  /** Fields with the wallets whose owners may read a row. */
  owners: readonly string[]
  isPublic: boolean
  hash: string
  definition: EventSettings
}

/** Compiles the definition of a sync; throws a sentence that explains an error. */
export async function compileSync(chain: number, definition: EventSettings): Promise<Sync> {
  const { contracts, factory, fields, filter } = definition
  const className = definition.class
  if (!isClassName(className) || isSystemClass(className))
    throw new Error(`${className} cannot be the class of a sync.`)
  if (!contracts === !factory) throw new Error('set either contracts or factory, not both.')
  const { toEventSelector } = await import('../evm.ts')
  const event = await findEvent(definition)
  const topic = toEventSelector(event)
  const maker = factory && (await readFactory(factory))
  const inputs = event.inputs as readonly EventInput[]
  checkNames(inputs)
  const name = definition.name ?? `${className}.${event.name}`
  const id = `${chain}/${name}`
  const places = new Map(inputs.map((input, index) => [nameOf(input, index), index]))
  const need = (parameter: string, setting: string) => {
    const place = places.get(parameter)
    if (place === undefined) {
      throw new Error(
        `${setting} refers to ${parameter}, but ${event.name} has ${[...places.keys()].join(', ') || 'no parameters'}.`,
      )
    }
    return place
  }
  for (const parameter of Object.keys(fields.rename)) need(parameter, 'fields.rename')
  for (const parameter of Object.keys(fields.types)) need(parameter, 'fields.types')
  const eventFields = inputs.flatMap((input, place) => fieldsOf(input, place, definition))
  const names = fields.olderNames ? olderNames : ownNames
  checkFields(eventFields, names)
  const owners = [definition.owner ?? []].flat().map((parameter) => {
    const input = inputs[need(parameter, 'owner')] as EventInput
    if (input.type !== 'address') throw new Error(`owner must be a parameter of type address; ${parameter} is not.`)
    return fieldNameOf(parameter, fields.rename)
  })
  const conditions = Object.entries(filter ?? {}).map(([parameter, value]) => {
    const place = need(parameter, 'filter')
    const input = inputs[place] as EventInput
    return { place, input, texts: [value].flat().map((each) => comparable(input, parameter, each)) }
  })
  const wanted = conditions.map(({ place, texts }) => ({ place, texts: new Set(texts) }))
  return {
    id,
    chain,
    name,
    className,
    key: createHash('sha256').update(id).digest('hex').slice(0, 8),
    topic,
    mayBeIn: await createBloomFilter([
      { topic, contracts },
      ...(maker ? [{ topic: maker.topic, contracts: maker.contracts }] : []),
    ]),
    topics: topicsOf(inputs, conditions),
    read: createEventReader(inputs),
    isWanted: (values) => wanted.every(({ place, texts }) => texts.has(String(values[place]))),
    fields: eventFields,
    names,
    contracts: contracts && new Set(contracts),
    factory: maker,
    startBlock: definition.startBlock,
    owners,
    isPublic: definition.public ?? owners.length === 0,
    hash: createHash('sha256')
      .update(JSON.stringify(sorted(definition)))
      .digest('hex')
      .slice(0, 32),
    definition,
  }
}

/** The fields of a class that holds rows of the sync. */
export function classFieldsOf({ fields, names }: Sync): [string, FieldType][] {
  const placed = Object.entries(placeTypes).map(([name, type]): [string, FieldType] => [
    names[name as keyof PlaceNames],
    type,
  ])
  return [...placed, ...fields.map(({ name, type }): [string, FieldType] => [name, type])]
}

/** By the topics of a log alone; who wrote it is another question. */
export function readRow(sync: Sync, log: RpcLog): WireValue[] | undefined {
  if (log.topics[0]?.toLowerCase() !== sync.topic) return undefined
  const values = sync.read(log)
  return values && sync.isWanted(values) ? withinRow(values, log.data) : undefined
}

type Source = Pick<EventSettings, 'event' | 'abi'>

async function findEvent({ event, abi }: Source): Promise<AbiEvent> {
  const events = abi === undefined ? [] : (await readAbi(abi)).filter((item): item is AbiEvent => item.type === 'event')
  if (event === undefined || /^[A-Za-z_$][\w$]*$/.test(event)) {
    const found = event === undefined ? events : events.filter(({ name }) => name === event)
    if (found.length === 1 && found[0]) return found[0]
    if (abi === undefined)
      throw new Error(
        'write the event as in Solidity, such as "event Sold(address indexed seller, uint256 price)", or give the abi.',
      )
    const known = events.map(({ name }) => name).join(', ') || 'no events'
    throw new Error(`the abi has ${known}: use one of them. If two share a name, write the event as in Solidity.`)
  }
  return parseSignature(event)
}

async function parseSignature(text: string): Promise<AbiEvent> {
  const { parseAbiItem } = await import('../evm.ts')
  const whole = text.trim().replace(/;$/, '')
  try {
    const item = parseAbiItem(/^event\s/.test(whole) ? whole : `event ${whole}`) as Abi[number]
    if (item.type === 'event') return item
  } catch (error) {
    const [line = ''] = String((error as Error).message).split('\n')
    throw new Error(`the event ${JSON.stringify(whole.slice(0, 200))} cannot be read: ${line}`)
  }
  throw new Error(`${JSON.stringify(whole.slice(0, 200))} is not an event.`)
}

async function readFactory({
  contracts,
  parameter,
  ...source
}: NonNullable<EventSettings['factory']>): Promise<NonNullable<Sync['factory']>> {
  const { toEventSelector } = await import('../evm.ts')
  const event = await findEvent(source)
  const inputs = event.inputs as readonly EventInput[]
  const place = inputs.findIndex((input, index) => nameOf(input, index) === parameter)
  if (inputs[place]?.type !== 'address')
    throw new Error(`factory.parameter must be a parameter of ${event.name} of type address; ${parameter} is not.`)
  return { contracts, topic: toEventSelector(event), read: createEventReader(inputs), place }
}

type Watched = { topic: Hex; contracts: readonly string[] | undefined }

async function createBloomFilter(watched: readonly Watched[]): Promise<Sync['mayBeIn']> {
  const { hexToBytes, keccak256 } = await import('../evm.ts')
  const bitsOf = (text: string) => bloomBits(keccak256(hexToBytes(text as Hex), 'bytes'))
  const filters = watched.map(({ topic, contracts }) => ({ topic: bitsOf(topic), contracts: contracts?.map(bitsOf) }))
  return (header) =>
    filters.some(
      ({ topic, contracts }) =>
        isInBloom(header, topic) && (!contracts || contracts.some((contract) => isInBloom(header, contract))),
    )
}

/** Parameters without a name are called by their place. */
function nameOf({ name }: EventInput, place: number): string {
  return name || `parameter${place}`
}

/** `id` is what clients call the object's own: as in the older service, such a parameter is kept as `uid`. */
function fieldNameOf(parameter: string, rename: EventSettings['fields']['rename']): string {
  // `toString` is a name like any other, and every object has one.
  const renamed = Object.hasOwn(rename, parameter) ? rename[parameter] : undefined
  return renamed ?? (parameter === 'id' ? 'uid' : parameter)
}

function fieldsOf(input: EventInput, place: number, { fields }: EventSettings): EventField[] {
  const parameter = nameOf(input, place)
  const name = fieldNameOf(parameter, fields.rename)
  const usual = usualType(input)
  const asked = Object.hasOwn(fields.types, parameter) ? fields.types[parameter] : undefined
  const isNumber = /^u?int\d*$/.test(input.type)
  if (asked !== undefined && asked !== usual && !isNumber) {
    throw new Error(`fields.types sets ${parameter} to ${asked}, but ${input.type} is stored as ${usual}.`)
  }
  const own: EventField = {
    name,
    type: { type: asked ?? usual },
    place,
    convert: asked === undefined || asked === usual ? undefined : converters[asked],
  }
  const isLong = isNumber && usual === 'String' && own.type.type === 'String'
  // To sort and compare by, at the cost of the last digits.
  const decimal: EventField = { name: `${name}_decimal`, type: { type: 'Number' }, place, convert: Number }
  return fields.olderNames && isLong ? [own, decimal] : [own]
}

function usualType({ type, indexed }: EventInput): 'String' | 'Number' | 'Boolean' | 'Array' | 'Object' {
  const isList = type.endsWith(']')
  if (indexed && (isList || type === 'tuple')) return 'String'
  if (isList) return 'Array'
  if (type === 'tuple') return 'Object'
  if (type === 'bool') return 'Boolean'
  const bits = /^u?int(\d*)$/.exec(type)?.[1]
  return bits !== undefined && Number(bits || 256) <= exactBits ? 'Number' : 'String'
}

/** Farther from now than this, a number of seconds is no time that the database keeps. */
const latestTime = 253_402_300_799

const converters: { [Type in (typeof syncedTypes)[number]]: (value: WireValue) => WireValue } = {
  String,
  Number,
  Boolean: (value) => String(value) !== '0',
  Date: (value) => {
    const seconds = Math.min(Math.max(Number(value), 0), latestTime)
    return { __type: 'Date', iso: new Date(seconds * 1000).toISOString() }
  },
}

/** Names that have a meaning on the wire and must not be parts of documents. */
const forbidden = /^(__proto__|__type|__op|constructor|prototype)$|^\$|\./

function checkNames(inputs: readonly EventInput[]): void {
  for (const { name = '', components } of inputs) {
    if (forbidden.test(name)) throw new Error(`a parameter cannot be called ${name}.`)
    if (components) checkNames(components)
  }
}

function checkFields(fields: readonly EventField[], names: PlaceNames): void {
  const taken = new Set([...defaultFieldNames, 'id', ...Object.values(names)])
  for (const { name } of fields) {
    if (taken.has(name)) throw new Error(`the field ${name} already exists: rename the parameter with fields.rename.`)
    if (!isFieldName(name))
      throw new Error(`${name} is not a valid field name: rename the parameter with fields.rename.`)
    taken.add(name)
  }
}

/** A value of the filter as what is read is compared with. */
function comparable({ type, indexed }: EventInput, parameter: string, value: string | number | boolean): string {
  const wrong = () =>
    new Error(`filter wants ${parameter} to be ${String(value).slice(0, 80)}, which is not a valid ${type}.`)
  const text = String(value)
  if (/^u?int\d*$/.test(type)) {
    if (!/^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text)) throw wrong()
    return BigInt(text).toString()
  }
  if (type === 'bool') {
    if (text !== 'true' && text !== 'false') throw wrong()
    return text
  }
  if (type === 'address') {
    if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw wrong()
    return text.toLowerCase()
  }
  const bytes = /^bytes(\d+)$/.exec(type)?.[1]
  if (bytes !== undefined) {
    if (!new RegExp(`^0x[0-9a-fA-F]{${2 * Number(bytes)}}$`).test(text)) throw wrong()
    return text.toLowerCase()
  }
  if (type === 'string' && !indexed) return text
  throw new Error(`filter cannot compare ${parameter}: it is ${indexed ? 'an indexed ' : ''}${type}.`)
}

type FilterCondition = { place: number; input: EventInput; texts: string[] }

function topicsOf(inputs: readonly EventInput[], conditions: readonly FilterCondition[]): (Hex[] | null)[] {
  const topics = inputs.flatMap((input, place) => {
    if (!input.indexed) return []
    const condition = conditions.find((each) => each.place === place)
    return [condition ? condition.texts.map((text) => topicOf(input.type, text)) : null]
  })
  while (topics.at(-1) === null) topics.pop()
  return topics
}

function topicOf(type: string, text: string): Hex {
  if (type.startsWith('bytes')) return `0x${text.slice(2).padEnd(64, '0')}`
  const number = type === 'bool' ? BigInt(text === 'true') : BigInt(text)
  return `0x${BigInt.asUintN(256, number).toString(16).padStart(64, '0')}`
}

/** Sorts keys, so that equal definitions have equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
