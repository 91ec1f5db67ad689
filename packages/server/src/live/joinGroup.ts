import type { ClassSchema } from '../classes/ClassSchema.ts'
import { valueKey } from '../classes/valueKey.ts'
import { createSelection } from '../objects/Selection.ts'
import type { Identity } from './createIdentities.ts'
import type { LiveParts } from './LiveParts.ts'
import { compileQuestion } from './matching/compileQuestion.ts'
import { createRoom } from './matching/createRoom.ts'
import type { Group, Question } from './matching/Matching.ts'
import { refreshRoom } from './refreshRoom.ts'

export type Asked = Pick<Question, 'className' | 'where' | 'watch' | 'operation'> & { keys: string[] | undefined }

/** The group of those who ask the same with the same rights, made where there is none. Throws where it may not be asked. */
export function joinGroup(parts: LiveParts, schema: ClassSchema, identity: Identity, asked: Asked): Group {
  const { context, rooms } = parts
  const { condition, rights } = compileQuestion(context, schema, identity, asked)
  const { keys } = createSelection(context.config, schema, { keys: asked.keys, excludeKeys: [], include: [] })
  const room = rooms.get(asked.className) ?? createRoom(schema)
  rooms.set(asked.className, room)
  refreshRoom(parts, room, schema)
  // The last of it may have been ended by that.
  rooms.set(asked.className, room)
  const key = `${asked.operation} ${valueKey(asked.where)} ${asked.watch?.join() ?? '*'}`
  const known = room.questions.get(key)
  const question: Question = known ?? {
    key,
    className: asked.className,
    where: asked.where,
    watch: asked.watch,
    operation: asked.operation,
    condition,
    groups: new Map(),
    place: undefined,
  }
  if (!known) room.add(question)
  const keysKey = asked.keys?.join() ?? '*'
  const groupKey = `${identity.key} ${keysKey}`
  const group: Group = question.groups.get(groupKey) ?? {
    key: groupKey,
    question,
    identity,
    keys,
    keysKey,
    rights,
    members: new Set(),
  }
  question.groups.set(groupKey, group)
  return group
}
