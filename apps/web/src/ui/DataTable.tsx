import { ActionIcon, Menu, NativeSelect, UnstyledButton, VisuallyHidden } from '@mantine/core'
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

/** A table with rows of 44 px. On phones it is a list of its first column and its menus. */
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
  /** Hidden on phones, or on tablets as well. */
  from?: 'tablet' | 'desktop'
  numeric?: boolean
  /** Sorts by this column; `order` is undefined while another column does. */
  sort?: { order: Order | undefined; onSort(): void }
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const
const arrows = { asc: IconArrowUp, desc: IconArrowDown }

export function ColumnHead({ children, from, numeric = false, sort }: ColumnHeadProps) {
  const Arrow = sort?.order === undefined ? IconArrowsSort : arrows[sort.order]
  return (
    <th
      scope="col"
      {...hiddenBefore(from)}
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
}

/** Sort on small screens, which leave out heads of columns. */
export function SortField<Sort extends string>({ label, value, names, onChange }: SortFieldProps<Sort>) {
  const sorts = Object.keys(names) as Sort[]
  return (
    <NativeSelect
      hiddenFrom="md"
      label={label}
      value={value}
      data={sorts.map((one) => ({ value: one, label: names[one] }))}
      onChange={({ currentTarget }) => {
        const by = sorts.find((one) => one === currentTarget.value)
        if (by !== undefined) onChange(by)
      }}
    />
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

/** A cell of secondary text. */
export function QuietCell({ from, children }: { from?: 'tablet' | 'desktop'; children: ReactNode }) {
  return (
    <td {...hiddenBefore(from)} className={classes.quiet}>
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
