import type { WireFields, WireValue } from '@countersign/protocol'

/** One object as the source has it: as the API of Parse writes it, or as parse-server keeps it in MongoDB. */
export type SourceDocument = {
  form: 'rest' | 'mongo'
  /** Absent where it could not be read. */
  fields?: Record<string, unknown>
  /** Position to continue after this one. Opaque outside of its source. */
  position: string
}

/** Class of the source, in the form of the schema API. */
export type SourceClass = {
  className: string
  fields: Record<string, WireValue>
  permissions?: WireValue
  indexes?: WireFields
}

/** Target for the documents of a unit. */
export type UnitTarget =
  | { as: 'objects'; className: string }
  | { as: 'relation'; className: string; field: string }
  /** `_EthAddress` and `_SolAddress` of Moralis: whose wallet an address is. */
  | { as: 'addresses'; namespace: 'eip155' | 'solana' }

/** One class, or the links of one relation: read from front to back, from any place that it named before. */
export type Unit = {
  name: string
  target: UnitTarget
  /** Changes if the content does. 0 for a running server, where it is unknown. */
  size: number
  read(from: string | undefined): AsyncIterable<SourceDocument[]>
}

/** The content of a file that objects name. */
export type SourceFile = { content: AsyncIterable<Buffer>; type?: string | undefined }

export type Source = {
  /** The same for the same source at every run. */
  identity: string
  classes(): Promise<SourceClass[]>
  units(classes: SourceClass[]): Promise<Unit[]>
  /** Content that is not imported, each as a sentence. */
  leftOut: string[]
  /** The content of a file by its name; `undefined` where the source does not have it. */
  openFile(name: string, url: string | undefined): Promise<SourceFile | undefined>
  close?(): Promise<void>
}

/** The import cannot continue; the message has the reason. */
export class TransferError extends Error {
  override readonly name = 'TransferError'
}

const skipped = new Map([
  ['_JobStatus', 'job status'],
  ['_JobSchedule', 'job schedules, because their jobs would start to run'],
  ['_PushStatus', 'push status'],
  ['_Hooks', 'remote hooks: register them again'],
  ['_GlobalConfig', 'the application config: set it again with PUT /config'],
  ['_GraphQLConfig', 'GraphQL settings'],
  ['_Idempotency', 'ids of completed requests'],
  ['_ExportProgress', 'export progress'],
])

/** Target of a collection or file by name; a sentence if it is not imported. */
export function targetOf(name: string): UnitTarget | string {
  const [, field, className] = /^_Join:([A-Za-z0-9_]+):([A-Za-z0-9_]+)$/.exec(name) ?? []
  if (field !== undefined && className !== undefined) return { as: 'relation', className, field }
  if (name === '_EthAddress') return { as: 'addresses', namespace: 'eip155' }
  if (name === '_SolAddress') return { as: 'addresses', namespace: 'solana' }
  const reason = skipped.get(name)
  if (reason !== undefined) return `${name} is not imported: ${reason}.`
  return { as: 'objects', className: name }
}

/** Users before what belongs to them, links after both their ends, sessions last. */
export function inOrder(units: Unit[]): Unit[] {
  const rank = ({ target }: Unit) => {
    if (target.as === 'relation') return 3
    if (target.as === 'addresses') return 4
    if (target.className === '_User') return 0
    if (target.className === '_Role') return 1
    return target.className === '_Session' ? 5 : 2
  }
  return [...units].sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1))
}
