/** Until when something that was done can be undone. */
export type UndoWindow = { readonly undoUntil: Date }
