import { relationQuery } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import type { MoralisObject, MoralisRelation } from './MoralisObject.ts'
import type { ParseKit } from './ParseKit.ts'

/** The relation of an object's field. */
export function createRelation(
  kit: ParseKit,
  parent: MoralisObject & { _change?: (name: string, change: object) => void },
  key: string,
  target: string | undefined,
): MoralisRelation {
  function change(op: string, objects: MoralisObject | readonly MoralisObject[]): MoralisObject {
    parent._change?.(key, { __op: op, objects: [objects].flat().map((object) => object.toPointer()) })
    return parent
  }
  return {
    parent,
    key,
    add: (objects) => change('AddRelation', objects),
    remove: (objects) => void change('RemoveRelation', objects),
    query() {
      const marker = target && { [key]: { __type: 'Relation', className: target } }
      const { className, where, redirectClassNameForKey }: Loose = relationQuery(
        { ...parent.toPointer(), ...marker },
        key,
      )
      return new kit.Query(className).withJSON({ where, redirectClassNameForKey })
    },
    toJSON: () => ({ __type: 'Relation', className: target }),
  }
}
