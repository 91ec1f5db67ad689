import type { WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { NameTree } from '../../objects/Selection.ts'
import type { Decision } from '../../permissions/Decision.ts'
import type { HiddenFields } from '../../permissions/hiddenFields.ts'
import type { Condition } from '../../queries/Condition.ts'
import type { Access } from '../../roles/Access.ts'
import type { Identity } from '../createIdentities.ts'
import type { Subscription } from '../Subscription.ts'

/** What one who asks may see of a class. One object while class and roles are the same: answers are kept by it. */
export type Rights = {
  readonly schema: ClassSchema
  readonly access: Access
  readonly decision: Decision
  readonly hidden: HiddenFields
  /** Names what is hidden of every object; `undefined` where that is not the same for all. */
  readonly hiddenKey: string | undefined
}

/** A question, whoever asks it: decided once for each change. */
export type Question = {
  readonly key: string
  readonly className: string
  readonly where: WireFields
  readonly watch: readonly string[] | undefined
  readonly operation: 'find' | 'get'
  condition: Condition
  readonly groups: Map<string, Group>
  /** Where the index holds it. */
  place: { field: string; values: readonly string[] } | undefined
}

/** Those who ask the same question with the same rights and want the same of the answer. */
export type Group = {
  readonly key: string
  readonly question: Question
  readonly identity: Identity
  readonly keys: NameTree | undefined
  readonly keysKey: string
  rights: Rights
  readonly members: Set<Subscription>
}
