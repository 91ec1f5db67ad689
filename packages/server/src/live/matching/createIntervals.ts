/** A range with both ends. `undefined` is no bound on that side. */
export type Interval<Point> = { readonly low: Point | undefined; readonly high: Point | undefined }

/** Ranges with an item at each, found by a point inside them. */
export type Intervals<Point, Item> = {
  readonly size: number
  find(interval: Interval<Point>): Item | undefined
  set(interval: Interval<Point>, item: Item): void
  delete(interval: Interval<Point>): void
  /** Calls back with the item of every range that contains the point: O(log n) besides the calls. */
  visit(point: Point, found: (item: Item) => void): void
}

type Node<Point, Item> = {
  readonly low: Point | undefined
  readonly high: Point | undefined
  item: Item
  /** Highest end in the subtree; `undefined` if one has none. */
  highest: Point | undefined
  /** Random, so that no order of inserts makes the tree deep: subscribers choose the ranges. */
  readonly priority: number
  left: Node<Point, Item> | undefined
  right: Node<Point, Item> | undefined
}

/** A treap ordered by the lower end, then the upper one; each node knows the highest end below it. */
export function createIntervals<Point, Item>(compare: (one: Point, other: Point) => number): Intervals<Point, Item> {
  type Tree = Node<Point, Item> | undefined
  let root: Tree
  let size = 0

  const order = (one: Interval<Point>, other: Interval<Point>): number => {
    const byLow = compareEnds(one.low, other.low, -1)
    return byLow === 0 ? compareEnds(one.high, other.high, 1) : byLow
  }

  /** `missing` is the side on which a missing bound lies. */
  const compareEnds = (one: Point | undefined, other: Point | undefined, missing: 1 | -1): number => {
    if (one === undefined) return other === undefined ? 0 : missing
    return other === undefined ? -missing : compare(one, other)
  }

  const higher = (one: Point | undefined, other: Point | undefined): Point | undefined =>
    compareEnds(one, other, 1) >= 0 ? one : other

  const update = (node: Node<Point, Item>): Node<Point, Item> => {
    let { high } = node
    if (node.left) high = higher(high, node.left.highest)
    if (node.right) high = higher(high, node.right.highest)
    node.highest = high
    return node
  }

  const split = (tree: Tree, at: Interval<Point>): [Tree, Tree] => {
    if (!tree) return [undefined, undefined]
    if (order(tree, at) < 0) {
      const [left, right] = split(tree.right, at)
      tree.right = left
      return [update(tree), right]
    }
    const [left, right] = split(tree.left, at)
    tree.left = right
    return [left, update(tree)]
  }

  const merge = (left: Tree, right: Tree): Tree => {
    if (!left || !right) return left ?? right
    if (left.priority > right.priority) {
      left.right = merge(left.right, right)
      return update(left)
    }
    right.left = merge(left, right.left)
    return update(right)
  }

  const insert = (tree: Tree, node: Node<Point, Item>): Node<Point, Item> => {
    if (!tree) return node
    if (node.priority > tree.priority) {
      const [left, right] = split(tree, node)
      node.left = left
      node.right = right
      return update(node)
    }
    if (order(node, tree) < 0) tree.left = insert(tree.left, node)
    else tree.right = insert(tree.right, node)
    return update(tree)
  }

  const remove = (tree: Tree, at: Interval<Point>): Tree => {
    if (!tree) return undefined
    const side = order(at, tree)
    if (side === 0) {
      size--
      return merge(tree.left, tree.right)
    }
    if (side < 0) tree.left = remove(tree.left, at)
    else tree.right = remove(tree.right, at)
    return update(tree)
  }

  const findNode = (at: Interval<Point>): Tree => {
    let node = root
    while (node) {
      const side = order(at, node)
      if (side === 0) return node
      node = side < 0 ? node.left : node.right
    }
    return undefined
  }

  const visit = (tree: Tree, point: Point, found: (item: Item) => void): void => {
    let node = tree
    while (node && (node.highest === undefined || compare(node.highest, point) >= 0)) {
      visit(node.left, point, found)
      if (node.low !== undefined && compare(node.low, point) > 0) return
      if (node.high === undefined || compare(node.high, point) >= 0) found(node.item)
      node = node.right
    }
  }

  return {
    get size() {
      return size
    },
    find: (interval) => findNode(interval)?.item,
    set({ low, high }, item) {
      const known = findNode({ low, high })
      if (known) {
        known.item = item
        return
      }
      size++
      const priority = Math.random()
      root = insert(root, { low, high, item, highest: high, priority, left: undefined, right: undefined })
    },
    delete(interval) {
      root = remove(root, interval)
    },
    visit: (point, found) => visit(root, point, found),
  }
}
