import type { ClassSchema } from '../classes/ClassSchema.ts'
import { endSubscription } from './endSubscription.ts'
import type { LiveParts } from './LiveParts.ts'
import { compileQuestion } from './matching/compileQuestion.ts'
import type { Room } from './matching/createRoom.ts'
import type { Group } from './matching/Matching.ts'
import { sendError } from './sockets/sendFrame.ts'

/** Reads the questions about a class anew where the class has changed. */
export function refreshRoom(parts: LiveParts, room: Room, schema: ClassSchema): void {
  if (room.schema === schema) return
  room.schema = schema
  for (const question of [...room.questions.values()]) {
    for (const group of [...question.groups.values()]) refreshGroup(parts, group, schema)
    if (room.questions.has(question.key)) room.replace(question)
  }
}

/** The same for one group, also where the roles of its members changed. Those who may no longer ask are told so. */
export function refreshGroup(parts: LiveParts, group: Group, schema: ClassSchema): boolean {
  const { question, identity, rights } = group
  if (rights.schema === schema && rights.access === identity.access) return true
  try {
    const compiled = compileQuestion(parts.context, schema, identity, question)
    group.rights = compiled.rights
    question.condition = compiled.condition
    return true
  } catch (error) {
    for (const member of [...group.members]) {
      endSubscription(parts, member)
      sendError(member.client, error, member.requestId)
    }
    return false
  }
}
