import type { WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { chooseIndex, keysAt } from './chooseIndex.ts'
import type { Question } from './Matching.ts'

/** The questions about one class, found by what they ask for. */
export type Room = {
  readonly questions: Map<string, Question>
  /** What the conditions were read by. */
  schema: ClassSchema
  add(question: Question): void
  remove(question: Question): void
  /** Puts a question whose condition was read anew in its place. */
  replace(question: Question): void
  /** The questions that one of the two may answer; each once. */
  candidates(before: WireFields | undefined, after: WireFields | undefined): Iterable<Question>
}

export function createRoom(schema: ClassSchema): Room {
  const questions = new Map<string, Question>()
  const byField = new Map<string, Map<string, Set<Question>>>()
  const rest = new Set<Question>()

  const put = (question: Question) => {
    const place = chooseIndex(question.condition)
    question.place = place
    if (!place) return void rest.add(question)
    const byValue = byField.get(place.field) ?? new Map<string, Set<Question>>()
    byField.set(place.field, byValue)
    for (const value of place.values) byValue.set(value, (byValue.get(value) ?? new Set()).add(question))
  }

  const takeOut = (question: Question) => {
    const { place } = question
    if (!place) return void rest.delete(question)
    const byValue = byField.get(place.field)
    for (const value of place.values) {
      const found = byValue?.get(value)
      found?.delete(question)
      if (found?.size === 0) byValue?.delete(value)
    }
    if (byValue?.size === 0) byField.delete(place.field)
  }

  return {
    questions,
    schema,
    add(question) {
      questions.set(question.key, question)
      put(question)
    },
    remove(question) {
      questions.delete(question.key)
      takeOut(question)
    },
    replace(question) {
      takeOut(question)
      put(question)
    },
    candidates(before, after) {
      if (byField.size === 0) return rest
      const found = new Set<Question>(rest)
      for (const [field, byValue] of byField) {
        for (const object of [before, after]) {
          if (!object) continue
          for (const key of keysAt(object, field)) for (const one of byValue.get(key) ?? []) found.add(one)
        }
      }
      return found
    },
  }
}
