import type { WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Context } from '../../context/Context.ts'
import { fillFileUrls } from '../../context/fillFileUrls.ts'
import { decodeObject, type JsonRow } from '../../objects/decodeObject.ts'
import type { Change, Position } from '../feed/Feed.ts'
import type { Question, Rights } from './Matching.ts'

/** A change while it is being told, with everything about it that is worked out once. */
export type Happening = {
  readonly schema: ClassSchema
  readonly before: WireFields | undefined
  readonly after: WireFields | undefined
  /** The place right after it. */
  position(): Position
  /** Whether the object answers a question: 1 before, 2 after, or both. */
  readonly matched: Map<Question, number>
  /** Whether it may be read, in the same numbers. */
  readonly readable: Map<Rights, number>
  readonly bodies: Map<string, Body>
}

/** The part of a frame that is the same for all who see the same, to its end. */
export type Body = { plain: Buffer; positioned: Buffer | undefined }

export function createHappening(
  context: Context,
  schema: ClassSchema,
  change: Change,
  position: () => Position,
): Happening {
  const decode = (row: Change['before']) => row && fillFileUrls(context, schema, decodeObject(schema, row as JsonRow))
  return {
    schema,
    before: decode(change.before),
    after: decode(change.after),
    position,
    matched: new Map(),
    readable: new Map(),
    bodies: new Map(),
  }
}
