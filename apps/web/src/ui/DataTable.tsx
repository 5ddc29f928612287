import { ActionIcon, Group, Menu, NativeSelect, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconDotsVertical } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

type DataTableProps = {
  label: string
  /** The cells of the first row: `ColumnHead`. The column of menus is added. */
  head: ReactNode
  /** The name of the last column, of menus, for screen readers; absent without one. */
  menuHead?: string
  /** Rows of `td`; with `menuHead`, the last cell of each has its menu. */
  children: ReactNode
}

/**
 * A table with rows of 44 px: what does not fit in its column is cut, because the columns that have no `width` share
 * what is left. On phones it is a list of its first column and its menus.
 */
export function DataTable({ label, head, menuHead, children }: DataTableProps) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {head}
          {menuHead !== undefined && (
            <th data-menu scope="col">
              <VisuallyHidden>{menuHead}</VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

export type Order = 'asc' | 'desc'

type ColumnHeadProps = {
  children: string
  /** Hidden on phones, or also where the sidebar leaves little room. */
  from?: 'tablet' | 'desktop'
  numeric?: boolean
  /** As much as a day, a day and a time, or one or two marks need; absent: an equal part of what is left. */
  width?: 'day' | 'moment' | 'marks'
  /** Sorts by this column; `order` is undefined while another column does. */
  sort?: { order: Order | undefined; onSort(): void }
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const
const arrows = { asc: IconArrowUp, desc: IconArrowDown }

export function ColumnHead({ children, from, numeric = false, width, sort }: ColumnHeadProps) {
  const Arrow = sort?.order === undefined ? IconArrowsSort : arrows[sort.order]
  return (
    <th
      scope="col"
      {...hiddenBefore(from)}
      {...(width && { 'data-width': width })}
      {...(numeric && { 'data-numeric': true })}
      {...(sort && { 'aria-sort': sort.order === undefined ? ('none' as const) : ariaSort[sort.order] })}
    >
      {sort === undefined ? (
        children
      ) : (
        <UnstyledButton className={classes.sort} onClick={sort.onSort}>
          {children}
          <Arrow size={14} aria-hidden />
        </UnstyledButton>
      )}
    </th>
  )
}

type SortFieldProps<Sort extends string> = {
  label: string
  value: Sort
  /** The name of each choice. */
  names: Record<Sort, string>
  onChange(by: Sort): void
  /** The order now, and the name of the button that sorts by `value` the other way round; absent where `names` say it. */
  direction?: { order: Order; reverse: string }
}

/** Sort on small screens, which leave out heads of columns. */
export function SortField<Sort extends string>({ label, value, names, direction, onChange }: SortFieldProps<Sort>) {
  const sorts = Object.keys(names) as Sort[]
  const Arrow = arrows[direction?.order ?? 'asc']
  return (
    <Group hiddenFrom="lg" gap="xs" align="flex-end" wrap="nowrap">
      <NativeSelect
        label={label}
        value={value}
        data={sorts.map((one) => ({ value: one, label: names[one] }))}
        onChange={({ currentTarget }) => {
          const by = sorts.find((one) => one === currentTarget.value)
          if (by !== undefined) onChange(by)
        }}
      />
      {direction !== undefined && (
        <ActionIcon
          className={classes.reverse}
          variant="default"
          size="input-sm"
          aria-label={direction.reverse}
          onClick={() => onChange(value)}
        >
          <Arrow size={18} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  )
}

/** The attributes of a cell that small screens leave out. */
export const hiddenBefore = (from: ColumnHeadProps['from']) => ({
  ...(from !== undefined && { 'data-wide': true }),
  ...(from === 'desktop' && { 'data-widest': true }),
})

type MainCellProps = {
  /** A portrait or an icon. */
  picture: ReactNode
  /** Text, or a link with `mainLinkClass`. */
  name: ReactNode
  marks?: ReactNode
  /** Below the name, on phones only. */
  below?: ReactNode
}

/** The first cell of a row. */
export function MainCell({ picture, name, marks, below }: MainCellProps) {
  return (
    <td>
      <div className={classes.main}>
        <div className={classes.icon} aria-hidden>
          {picture}
        </div>
        <div>
          <div className={classes.title}>
            <bdi className={classes.name}>{name}</bdi>
            {marks}
          </div>
          {below !== undefined && <div className={`${classes.below} ${classes.quiet}`}>{below}</div>}
        </div>
      </div>
    </td>
  )
}

export const mainLinkClass = classes.name

type QuietCellProps = {
  from?: 'tablet' | 'desktop'
  /** The whole text, shown under the pointer where the line is cut. */
  whole?: string | undefined
  children: ReactNode
}

/** A cell of secondary text, in one line. */
export function QuietCell({ from, whole, children }: QuietCellProps) {
  return (
    <td {...hiddenBefore(from)} className={`${classes.quiet} ${classes.line}`} title={whole}>
      {children}
    </td>
  )
}

type TableMenuProps = { label: string; loading?: boolean; children: ReactNode }

/** The menu of a row, in its last cell. */
export function TableMenu({ label, loading = false, children }: TableMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" loading={loading} aria-label={label}>
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
