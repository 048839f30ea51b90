// The search box of the top bar, for the command that goes there.

export const searchField: { current: HTMLInputElement | null } = { current: null };

export function focusSearch(): void {
  searchField.current?.focus();
  searchField.current?.select();
}
