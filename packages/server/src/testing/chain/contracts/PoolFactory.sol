// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A pool in the shape of Uniswap v3, whose price and depth are set.
contract Pool {
    address public immutable token0;
    address public immutable token1;
    uint24 public immutable fee;
    uint128 public liquidity;
    uint160 private price;

    constructor(address a, address b, uint24 fee_) {
        (token0, token1, fee) = (a, b, fee_);
    }

    function set(uint160 sqrtPriceX96, uint128 depth) external {
        price = sqrtPriceX96;
        liquidity = depth;
    }

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool) {
        return (price, 0, 0, 1, 1, 0, true);
    }
}

/// In the shape of the factory of Uniswap v3.
contract PoolFactory {
    mapping(address => mapping(address => mapping(uint24 => address))) public getPool;

    function createPool(address a, address b, uint24 fee) external returns (address pool) {
        require(getPool[a][b][fee] == address(0), "is there");
        pool = a < b ? address(new Pool(a, b, fee)) : address(new Pool(b, a, fee));
        getPool[a][b][fee] = pool;
        getPool[b][a][fee] = pool;
    }
}
