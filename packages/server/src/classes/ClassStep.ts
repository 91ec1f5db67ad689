import type { ClassPermissions } from '@countersign/protocol'
import type { ClassIndex, FieldType } from './ClassSchema.ts'

/** One change of a class. Whatever changes a class, by whatever way, is made of these. */
export type ClassStep =
  | { kind: 'createClass' }
  | { kind: 'dropClass' }
  /** Not shown while it is empty, or shown again. For classes that the server cannot do without. */
  | { kind: 'markDropped'; dropped: boolean }
  | { kind: 'addField'; name: string; field: FieldType }
  /** Another default, or required from now on. The type stays. */
  | { kind: 'changeField'; name: string; field: FieldType }
  | { kind: 'dropField'; name: string }
  | { kind: 'addRelation'; name: string; targetClass: string }
  | { kind: 'dropRelation'; name: string }
  | { kind: 'addIndex'; name: string; index: ClassIndex }
  | { kind: 'dropIndex'; name: string }
  | { kind: 'setPermissions'; permissions: ClassPermissions | undefined }
