import type { ClassName } from '../Register.ts'
import type { Pointer } from './FieldTypes.ts'

/**
 * Names an object by its class and id.
 *
 * @example
 * await create(client, 'Score', { game: pointer('Game', 'xWMyZ4YEGZ'), points: 7 })
 */
export function pointer<Name extends ClassName>(className: Name, objectId: string): Pointer<Name> {
  return Object.freeze({ __type: 'Pointer', className, objectId })
}
