# The desk as a container image: `docker build .` for one machine, `--target litefs` for several, `--target volume` where new volumes belong to root, `--target node` on Node.

ARG BUN_VERSION=1.4.5
ARG NODE_VERSION=26.10.0
ARG LITEFS_VERSION=0.5
ARG DEBIAN_VERSION=bookworm-slim

FROM flyio/litefs:${LITEFS_VERSION} AS litefs-binary

FROM oven/bun:${BUN_VERSION}-slim AS build
WORKDIR /src
# Packages change less often than sources, so they get their own layer.
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production
COPY migrations ./migrations
COPY src ./src
COPY cli ./cli
COPY scripts ./scripts
RUN bun scripts/build.ts /out/helpdesk

FROM build AS build-node
COPY LICENSE ./
RUN bun scripts/build-node.ts /out/node

FROM debian:${DEBIAN_VERSION} AS base
RUN groupadd --system --gid 10001 helpdesk \
  && useradd --system --uid 10001 --gid helpdesk --home-dir /data --shell /usr/sbin/nologin helpdesk \
  && install -d -o helpdesk -g helpdesk -m 0700 /data
COPY --from=build /out/helpdesk /usr/local/bin/helpdesk
COPY --chmod=0755 deploy/healthcheck.sh /usr/local/bin/healthcheck
ENV HELPDESK_DATA=/data \
  HELPDESK_HOST=0.0.0.0 \
  HELPDESK_PORT=8080 \
  HELPDESK_LOG_FORMAT=json
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["/usr/local/bin/healthcheck"]

# Several machines: LiteFS mounts the database as root and starts the desk, which runs as its own user.
# Needs /dev/fuse and the capability SYS_ADMIN. The volume has LiteFS's data and the desk's.
FROM base AS litefs
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates fuse3 \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /litefs
COPY --from=litefs-binary /usr/local/bin/litefs /usr/local/bin/litefs
COPY --chmod=0755 deploy/as-helpdesk.sh /usr/local/bin/as-helpdesk
COPY deploy/litefs.yml /etc/litefs.yml
ENV HELPDESK_DATA=/data/desk \
  HELPDESK_LITEFS_DIR=/litefs \
  LITEFS_TTL=10s
ENTRYPOINT ["litefs", "mount"]

# One machine on a host whose new volumes belong to root, such as Fly: makes the desk's user the owner and switches to that user.
FROM base AS volume
COPY --chmod=0755 deploy/as-helpdesk.sh /usr/local/bin/as-helpdesk
ENV HELPDESK_DATA=/data/desk
ENTRYPOINT ["as-helpdesk", "helpdesk"]
CMD ["serve"]

# One machine, on Node.
FROM node:${NODE_VERSION}-${DEBIAN_VERSION} AS node
RUN groupadd --system --gid 10001 helpdesk \
  && useradd --system --uid 10001 --gid helpdesk --home-dir /data --shell /usr/sbin/nologin helpdesk \
  && install -d -o helpdesk -g helpdesk -m 0700 /data
COPY --from=build-node /out/node /usr/local/lib/helpdesk
RUN ln -s ../lib/helpdesk/helpdesk.mjs /usr/local/bin/helpdesk
COPY --chmod=0755 deploy/healthcheck.sh /usr/local/bin/healthcheck
ENV HELPDESK_DATA=/data \
  HELPDESK_HOST=0.0.0.0 \
  HELPDESK_PORT=8080 \
  HELPDESK_LOG_FORMAT=json
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["/usr/local/bin/healthcheck"]
USER 10001:10001
ENTRYPOINT ["helpdesk"]
CMD ["serve"]

# One machine: the default.
FROM base AS plain
USER 10001:10001
ENTRYPOINT ["helpdesk"]
CMD ["serve"]
