/** The look of a line in a menu, be it a link or an act. */
export const menuItemClass =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-control px-3 text-sm font-medium outline-none select-none ' +
  'data-highlighted:bg-sunken'
