// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Token} from "./Token.sol";

/// A pool in the shape of Uniswap v2: its reserves are what it holds.
contract Pair {
    address public immutable token0;
    address public immutable token1;

    event Sync(uint112 reserve0, uint112 reserve1);

    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private last;

    constructor(address a, address b) {
        (token0, token1) = (a, b);
    }

    function sync() external {
        reserve0 = uint112(Token(token0).balanceOf(address(this)));
        reserve1 = uint112(Token(token1).balanceOf(address(this)));
        last = uint32(block.timestamp);
        emit Sync(reserve0, reserve1);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, last);
    }
}

/// In the shape of the factory of Uniswap v2.
contract PairFactory {
    mapping(address => mapping(address => address)) public getPair;

    function createPair(address a, address b) external returns (address pair) {
        require(getPair[a][b] == address(0), "is there");
        pair = a < b ? address(new Pair(a, b)) : address(new Pair(b, a));
        getPair[a][b] = pair;
        getPair[b][a] = pair;
    }
}
