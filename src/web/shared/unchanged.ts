// Components that are drawn again only when one of their properties is another one.

import { Component, type ComponentType, type FunctionComponent, h } from 'preact';

export function drawnOnChange<Props extends object>(Drawn: FunctionComponent<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = new Set([...Object.keys(this.props), ...Object.keys(next)]);
      return [...names].some((name) => this.props[name as keyof Props] !== next[name as keyof Props]);
    }

    override render() {
      return h(Drawn, this.props as Props);
    }
  } as ComponentType<Props>;
}
