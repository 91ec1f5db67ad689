/** A value that can be read and watched: the one observer pattern of this package. */
export type Store<Value> = {
  readonly get: () => Value
  /** Calls the listener after each change; answers the function that ends it. */
  readonly subscribe: (listener: () => void) => () => void
}

export type WritableStore<Value> = Store<Value> & { readonly set: (value: Value) => void }
